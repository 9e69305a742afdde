import { expect, test } from 'vitest'
import { parseOptions, UsageError } from './options.ts'

test('by default all servers are compared in all scenarios', () => {
  const { mode, data, scenarios, servers, pinned } = parseOptions([])
  expect({ mode, data, pinned }).toEqual({ mode: 'compare', data: ['small', 'large'], pinned: true })
  expect(scenarios).toContain('items-all')
  expect(servers).toEqual(['baseline', 'saleproof', 'saleproof-off'])
})

test('the baseline always runs, and first', () => {
  expect(parseOptions(['--servers', 'saleproof']).servers).toEqual(['baseline', 'saleproof'])
})

test('a quick run leaves the routes alone', () => {
  expect(parseOptions(['--quick']).servers).toEqual(['baseline', 'saleproof'])
})

test('scenarios keep the order of the table', () => {
  expect(parseOptions(['--only', 'validate,account']).scenarios).toEqual(['account', 'validate'])
})

test('two builds are named by their folders', () => {
  expect(parseOptions(['builds', '--old', '/a', '--new', '/b', '--rounds', '7', '--postgres'])).toMatchObject(
    {
      mode: 'builds',
      postgres: true,
      old: '/a',
      current: '/b',
      rounds: 7,
    },
  )
})

test.each([
  [['bulk', '--data', 'small'], 'bulk'],
  [['console', '--postgres'], 'console'],
])('%s', (args, mode) => {
  expect(parseOptions(args).mode).toBe(mode)
})

test.each([
  [['--only', 'acount']],
  [['--servers', 'express']],
  [['--fast']],
  [['shrink']],
  [['console', 'bulk']],
  [['builds', '--old', '/a']],
  [['--rounds', '0']],
])('%s is refused', (args) => {
  expect(() => parseOptions(args)).toThrow(UsageError)
})
