import { describe, expect, test } from 'vitest'
import { queryOf } from './query.ts'

const none = { item: '', license: '', state: '', from: '', to: '' }

describe('what is asked for', () => {
  test('nothing that was not chosen', () => {
    expect(queryOf(none)).toEqual({})
  })

  test('all of it', () => {
    const query = queryOf({
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
      // The last day belongs to it.
      to: new Date(2026, 2, 1).toISOString(),
    })
  })

  test.each([
    ['item', 'abc'],
    ['item', '007'],
    ['state', 'gone'],
    ['from', 'yesterday'],
    ['to', '2026-1-1'],
  ])('not a %s of %s', (name, value) => {
    expect(queryOf({ ...none, [name]: value })).toEqual({})
  })
})
