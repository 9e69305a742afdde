import { expect, test } from 'vitest'
import { formatNumber, formatTable } from './table.ts'

test('columns line up', () => {
  expect(formatTable(['', 'rate'], [['account', '1.00']])).toBe(
    ['|         | rate |', '|---------|-----:|', '| account | 1.00 |'].join('\n'),
  )
})

test.each([
  [0.0712, '0.07'],
  [1.234, '1.23'],
  [41.27, '41.3'],
  [27_123.4, '27,123'],
  [Number.NaN, '–'],
])('%d is written as %s', (value, text) => {
  expect(formatNumber(value)).toBe(text)
})
