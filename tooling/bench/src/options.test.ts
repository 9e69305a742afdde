import { expect, test } from 'vitest'
import { parseOptions, UsageError } from './options.ts'

test('without options everything is compared', () => {
  expect(parseOptions([])).toMatchObject({ mode: 'compare', data: ['small', 'large'], quick: false })
  expect(parseOptions([]).cells).toContain('items-all')
})

test('the floor always runs, and first', () => {
  expect(parseOptions(['--servers', 'saleproof']).servers).toEqual(['floor', 'saleproof'])
})

test('cells are taken in the order of the table', () => {
  expect(parseOptions(['--only', 'validate,account']).cells).toEqual(['account', 'validate'])
})

test('on PostgreSQL there is a floor of its own', () => {
  expect(parseOptions(['postgres', '--servers', 'saleproof-postgres'])).toMatchObject({
    mode: 'postgres',
    servers: ['floor-postgres', 'saleproof-postgres'],
  })
})

test.each([
  [['postgres'], 'postgres'],
  [['bulk', '--data', 'small'], 'bulk'],
  [['timing'], 'timing'],
  [['soak', '--minutes', '2'], 'soak'],
  [['console', '--quick'], 'console'],
  [['--cores'], 'cores'],
  [['--profile'], 'profile'],
])('%s', (args, mode) => {
  expect(parseOptions(args).mode).toBe(mode)
})

test.each([
  [['--only', 'acount']],
  [['--servers', 'express']],
  [['--servers', 'floor-postgres']],
  [['postgres', '--servers', 'floor']],
  [['--fast']],
  [['shrink']],
  [['soak', '--cores']],
  [['soak', 'timing']],
  [['soak', '--minutes', '0']],
])('%s is refused', (args) => {
  expect(() => parseOptions(args)).toThrow(UsageError)
})
