import fc from 'fast-check'
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import {
  type ConsoleEndpointName,
  consoleEndpoints,
  consoleErrorCodes,
  consoleErrors,
  consoleFieldCodes,
  fieldCodes,
} from './index.ts'

const names = Object.keys(consoleEndpoints) as ConsoleEndpointName[]

describe('endpoints', () => {
  test('no two share method and path', () => {
    const addresses = names.map((name) => `${consoleEndpoints[name].method} ${consoleEndpoints[name].path}`)
    expect(new Set(addresses).size).toBe(names.length)
  })
})

test('every error is a failure of the caller or the service', () => {
  for (const code of consoleErrorCodes) {
    expect(consoleErrors[code].status).toBeGreaterThanOrEqual(400)
    expect(consoleErrors[code].status).toBeLessThan(600)
  }
})

const fieldsOf = (name: ConsoleEndpointName, value: unknown) => {
  const { issues } = v.safeParse(consoleEndpoints[name].request, value)
  return issues && fieldCodes(issues)
}

describe('what is wrong with a request', () => {
  test('is reported by field', () => {
    expect(fieldsOf('signIn', { login: '' })).toEqual({ login: 'not_empty', password: 'required' })
    expect(fieldsOf('signIn', { login: 'ada', password: 'x', other: 1 })).toEqual({ other: 'unknown' })
    expect(fieldsOf('signIn', null)).toEqual({ '': 'type' })
    expect(fieldsOf('createKey', { name: 'a', kind: 'public', expires_at: 'soon', items: [0, 1] })).toEqual({
      kind: 'key_kind',
      expires_at: 'timestamp',
      'items.0': 'item_id',
    })
    expect(
      fieldsOf('listItems', { limit: '101', sort: 'price', kind: 'text', state: 'gone', cursor: '%' }),
    ).toEqual({
      limit: 'limit',
      sort: 'sort',
      kind: 'item_kind',
      state: 'item_state',
      cursor: 'cursor',
    })
    expect(fieldsOf('getOverview', { period: '1y', timezone: 'Mars/Olympus' })).toEqual({
      period: 'period',
      timezone: 'timezone',
    })
    expect(fieldsOf('searchPurchases', { search: ' ', state: 'gone', from: '2024-01-01', limit: 0 })).toEqual(
      {
        search: 'not_empty',
        state: 'purchase_state',
        from: 'timestamp',
        limit: 'limit',
      },
    )
  })

  test('is reported for nested fields', () => {
    const profile = {
      heading: '',
      description: '',
      contact: { email: 'nobody' },
      social_links: { x: 'x.com', '12': 'https://x.com' },
      media: { avatar: 'me.png', cover: '' },
    }
    expect(fieldsOf('updateAccount', { profile })).toEqual({
      'profile.contact.email': 'email',
      'profile.social_links': 'network',
      'profile.media.avatar': 'link',
    })
  })

  test('is a known code for any value, without the value', () => {
    const secret = 'SECRET-VALUE'
    const value = fc.dictionary(
      fc.constantFrom(
        'login',
        'password',
        'name',
        'kind',
        'items',
        'purchase_code',
        'email',
        'cursor',
        'slug',
      ),
      fc.anything({ values: [fc.constant(secret), fc.integer(), fc.constant('\0'), fc.constant(null)] }),
    )
    const property = fc.property(fc.constantFrom(...names), value, (name, given) => {
      for (const code of Object.values(fieldsOf(name, given) ?? {})) expect(consoleFieldCodes).toContain(code)
      expect(JSON.stringify(fieldsOf(name, given) ?? {})).not.toContain(secret)
    })
    fc.assert(property, { numRuns: 500 })
  })
})

test('time zones are those that the runtime knows', () => {
  for (const timezone of ['UTC', 'America/Sao_Paulo', 'Asia/Kathmandu', 'Europe/Lisbon'])
    expect(fieldsOf('getOverview', { timezone }) === undefined, timezone).toBe(true)
  for (const timezone of ['', 'Nowhere', '../etc/passwd'])
    expect(fieldsOf('getOverview', { timezone }) === undefined, timezone).toBe(false)
})
