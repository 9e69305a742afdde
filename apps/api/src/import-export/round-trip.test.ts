import { cleanPastedCode } from '@saleproof/schema'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestDatabase, ndjson, type TestDatabase } from '../../test/support/import-database.ts'
import { fileArbitrary, sample } from '../../test/support/import-records.ts'

let first: TestDatabase
let second: TestDatabase

beforeAll(async () => {
  first = await createTestDatabase()
  second = await createTestDatabase()
})

afterAll(() => {
  first.remove()
  second.remove()
})

/** What was given, as an export writes it; with the same code as the import for nothing but the order of lines. */
function normal(record: Record<string, unknown>): Record<string, unknown> {
  const time = (value: unknown) => `${new Date(value as string).toISOString().slice(0, 19)}Z`
  const fields = Object.entries(record).filter(([, value]) => value !== undefined && value !== null)
  const normalised = fields.map(([name, value]) => {
    if (name.endsWith('_at') || name === 'date' || name === 'supported_until') return [name, time(value)]
    if (name === 'balance' || (name === 'price' && typeof value !== 'object')) return [name, Number(value)]
    if (name === 'price')
      return [name, Object.fromEntries(Object.entries(value as object).map(([k, v]) => [k, Number(v)]))]
    if (name === 'purchase_code') return [name, cleanPastedCode(value as string)]
    if (name === 'items') return [name, [...(value as number[])].sort((a, b) => a - b)]
    return [name, value]
  })
  const defaults = record.type === 'purchase' ? { state: 'active' } : {}
  return { ...defaults, ...Object.fromEntries(normalised) }
}

const parsed = (text: string) =>
  text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))
const asSet = (records: unknown[]) => new Set(records.map((record) => JSON.stringify(sorted(record))))
const sorted = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(
        Object.entries(value)
          .sort(([a], [b]) => (a < b ? -1 : 1))
          .map(([k, v]) => [k, sorted(v)]),
      )
    : value

describe('import and export', () => {
  test('any valid records export equal, import again to identical bytes, and change nothing the second time', async () => {
    const property = fc.asyncProperty(fileArbitrary, async (records) => {
      first.clear()
      second.clear()
      await first.load(records)
      const text = await first.exported()
      expect(asSet(parsed(text))).toEqual(asSet(records.map((record) => normal({ ...record }))))
      const before = first.bytes()
      const again = await first.load(records)
      expect(Object.values(again.counts).map(({ created, updated }) => created + updated)).toEqual([
        0, 0, 0, 0, 0,
      ])
      expect(first.bytes().equals(before)).toBe(true)
      await second.loadText(text)
      expect(await second.exported()).toBe(text)
    })
    await fc.assert(property, { numRuns: 10 })
  })

  test('keep the order of social links, options, tags and screenshots', async () => {
    first.clear()
    const { account, ...others } = sample
    const links = { zeta: 'https://z.example', alpha: 'https://a.example', '01a': 'https://0.example' }
    await first.load([
      { ...account, profile: { ...account.profile, social_links: links } },
      ...Object.values(others),
    ])
    expect(Object.keys(parsed(await first.exported())[0].profile.social_links)).toEqual([
      'zeta',
      'alpha',
      '01a',
    ])
  })

  test('a password comes back as its hash, and loading it again keeps that hash', async () => {
    first.clear()
    const file = ndjson([{ ...sample.account, password: 'correct horse battery' }])
    await first.loadText(file)
    const text = await first.exported()
    expect(text).toMatch(/"password_hash":"\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    expect(text).not.toContain('horse')
    expect((await first.loadText(file)).counts.account).toEqual({ created: 0, updated: 0, unchanged: 1 })
    await first.loadText(text)
    expect(await first.exported()).toBe(text)
    const changed = await first.load([{ ...sample.account, password: 'another password' }])
    expect(changed.counts.account.updated).toBe(1)
    await first.load([{ ...sample.account, password: null }])
    expect(await first.exported()).not.toContain('password_hash')
  })
})
