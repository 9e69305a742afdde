import { expect, test } from 'vitest'
import { toQuery } from './query.ts'

test('no filters make an empty query', () => {
  expect(toQuery({})).toEqual({})
})

test('every filter is part of the query', () => {
  const query = toQuery({
    item: '101',
    license: 'Extended',
    state: 'refunded',
    from: '2026-01-31',
    to: '2026-02-28',
  })
  expect(query).toEqual({
    item_id: 101,
    license_type: 'Extended',
    state: 'refunded',
    from: new Date(2026, 0, 31).toISOString(),
    // The last day is included.
    to: new Date(2026, 2, 1).toISOString(),
  })
})

test.each([
  ['item', 'abc'],
  ['item', '007'],
  ['from', 'yesterday'],
  ['to', '2026-1-1'],
])('ignores the invalid %s "%s"', (name, value) => {
  expect(toQuery({ [name]: value })).toEqual({})
})
