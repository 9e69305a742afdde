import { statSync } from 'node:fs'
import type { ImportProblem } from '@saleproof/schema/console'
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createTestDatabase, ndjson, type TestDatabase } from '../../test/support/import-database.ts'
import { sample, samples } from '../../test/support/import-records.ts'
import { ImportError } from '../domain/imports.ts'

let database: TestDatabase

beforeAll(async () => {
  database = await createTestDatabase()
})

beforeEach(() => database.clear())

afterAll(() => database.remove())

async function problemsOf(loading: Promise<unknown>): Promise<readonly ImportProblem[]> {
  const error = await loading.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (!(error instanceof ImportError)) throw error ?? new Error('it was not refused')
  return error.problems
}

const reported = (problems: readonly ImportProblem[]) =>
  problems.map(({ line, field, message }) => `${line} ${field} ${message}`)

const { account, workspace, item, key, purchase } = sample
const other = { ...workspace, slug: 'other' }
const bound = { ...key, publishable: true, items: [101] }

async function exportedOf(type: string): Promise<Record<string, unknown>> {
  const lines = (await database.exported()).split('\n').filter(Boolean)
  return lines.map((line) => JSON.parse(line)).find((record) => record.type === type)
}

describe('what a file may say', () => {
  test.each([
    ['a workspace before its owner', [workspace, account], '1 owner names no account'],
    ['an item before its workspace', [account, item, workspace], '2 workspace names no workspace'],
    ['a key before its workspace', [account, key, workspace], '2 workspace names no workspace'],
    ['a purchase before its item', [account, workspace, purchase, item], '3 item names no item'],
    ['a key before its item', [account, workspace, bound, item], '3 items must be items of the workspace'],
    [
      'a secret key with items',
      [account, workspace, item, { ...key, items: [101] }],
      '4 items must be empty',
    ],
    [
      'a key bound to an item of another workspace',
      [account, workspace, other, { ...item, workspace: 'other' }, bound],
      '5 items must be items of the workspace',
    ],
    ['an account twice', [account, { ...account, balance: 1 }], '2 username was given on an earlier line'],
    ['a workspace twice', [account, workspace, { ...workspace, name: '' }], '3 slug was given'],
    ['an item twice', [account, workspace, item, { ...item, support: false }], '4 id was given'],
    ['a key twice', [account, workspace, key, { ...key, expires_at: null }], '4 key was given'],
    ['a purchase twice', [...samples, { ...purchase, price: 1 }], '6 purchase_code was given'],
    [
      'a purchase twice, with other dashes',
      [
        ...samples,
        {
          ...purchase,
          purchase_code: `\u200b${purchase.purchase_code.replaceAll('-', '\u2013')} `,
          price: 1,
        },
      ],
      '6 purchase_code was given',
    ],
    [
      'both a password and a hash',
      [
        {
          ...account,
          password: 'long enough',
          password_hash: '$argon2id$v=19$m=19456,t=2,p=1$c2FsdHNhbHQxMjM$aGFzaGhhc2hoYXNoaGFzaA',
        },
      ],
      '1 password must not be given',
    ],
    [
      'a video without its preview',
      [account, workspace, { ...item, kind: 'video' }],
      '3 media.preview_video is required',
    ],
    [
      'a preview of another kind',
      [account, workspace, { ...item, media: { ...item.media, preview_audio: 'https://example.com/a.mp3' } }],
      '3 media.preview_audio does not belong',
    ],
    [
      'a negative price',
      [...samples.slice(0, 4), { ...purchase, price: '-0.01' }],
      '5 price must not be negative',
    ],
    ['more decimals than the currency has', [{ ...account, balance: 1.234 }], '1 balance has more decimals'],
    ['an unknown currency', [{ ...account, currency: 'XXX' }], '1 currency must be the code'],
  ])('not %s', async (_, records, problem) => {
    const problems = reported(await problemsOf(database.load(records)))
    expect(problems).toEqual([expect.stringContaining(problem)])
    expect(await database.exported()).toBe('')
  })

  test.each([
    ['a workspace to another account', { ...workspace, owner: 'bob' }, 'owner must not change'],
    ['an item to another workspace', { ...item, workspace: 'other' }, 'workspace must not change'],
    ['a key to another workspace', { ...key, workspace: 'other' }, 'workspace must not change'],
    ['a purchase to another item', { ...purchase, item: 102 }, 'item must not change'],
  ])('not move %s', async (_, record, problem) => {
    await database.load([...samples, { ...account, username: 'bob' }, other, { ...item, id: 102 }])
    const before = await database.exported()
    expect(reported(await problemsOf(database.load([record])))).toEqual([
      expect.stringContaining(`1 ${problem}`),
    ])
    expect(await database.exported()).toBe(before)
  })

  test('the same record twice, and one code in two workspaces', async () => {
    const elsewhere = { ...item, id: 102, workspace: 'other' }
    const { counts } = await database.load([
      ...samples,
      other,
      elsewhere,
      ...samples,
      { ...purchase, item: 102 },
    ])
    expect(counts.purchase).toEqual({ created: 2, updated: 0, unchanged: 0 })
    expect(counts.item.created).toBe(2)
  })

  test('the same time and amount in another notation are the same content', async () => {
    const written = { ...purchase, price: '19.990'.slice(0, 5), date: '2024-04-27T14:00:00.5+02:00' }
    expect((await database.load([...samples, written])).counts.purchase.created).toBe(1)
    expect((await database.load([written])).counts.purchase.unchanged).toBe(1)
  })
})

describe('what an import changes', () => {
  test('a field that is left out keeps what is stored, null clears it', async () => {
    const full = { ...workspace, shape: 'extended', locale: 'pt' }
    await database.load([
      account,
      full,
      item,
      { ...bound, expires_at: '2030-01-01T00:00:00Z' },
      { ...purchase, state: 'refunded' },
    ])
    const before = await database.exported()
    const { supported_until: _, ...short } = purchase
    const kept = await database.load([workspace, key, short])
    expect(Object.values(kept.counts).map(({ updated }) => updated)).toEqual([0, 0, 0, 0, 0])
    expect(await database.exported()).toBe(before)
    await database.load([
      { ...workspace, shape: null, locale: null },
      { ...key, publishable: null, items: null, expires_at: null },
      { ...purchase, supported_until: null, state: null },
    ])
    expect(await exportedOf('workspace')).toEqual(workspace)
    expect(await exportedOf('api_key')).toEqual({ ...key, publishable: false, items: [] })
    expect(await exportedOf('purchase')).toEqual({ ...short, state: 'active' })
  })

  test('the items of a key are replaced, and only a publishable key keeps them', async () => {
    await database.load([
      account,
      workspace,
      item,
      { ...item, id: 102 },
      { ...item, id: 103 },
      { ...bound, items: [103, 101] },
    ])
    const { counts } = await database.load([{ ...bound, items: [102, 101, 102] }])
    expect(counts.api_key.updated).toBe(1)
    expect((await exportedOf('api_key')).items).toEqual([101, 102])
    const problems = reported(await problemsOf(database.load([{ ...key, publishable: false }])))
    expect(problems).toEqual([expect.stringContaining('1 items must be empty')])
    const { warnings } = await database.load([{ ...key, publishable: false, items: [] }])
    expect(reported(warnings)).toEqual([
      expect.stringContaining('1 publishable makes a publishable key secret'),
    ])
  })

  test('a key replaces another one of its workspace, on whichever line that is', async () => {
    const successor = { ...key, key: 'a-key-that-came-after-it', replaces: key.key }
    await database.load([account, workspace, successor, key])
    const exportedSuccessor = async () =>
      (await database.exported())
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line))
        .find((line) => line.key === successor.key)
    expect((await exportedSuccessor()).replaces).toBe(key.key)
    const { replaces: _, ...short } = successor
    for (const same of [successor, short]) {
      const { counts } = await database.load([same])
      expect(counts.api_key).toEqual({ created: 0, updated: 0, unchanged: 1 })
    }
    const again = await database.loadText(await database.exported())
    expect(again.counts.api_key).toEqual({ created: 0, updated: 0, unchanged: 2 })
    await database.load([{ ...successor, replaces: null }])
    expect(await exportedSuccessor()).not.toHaveProperty('replaces')
    const other = { ...workspace, slug: 'other' }
    for (const wrong of [
      { ...successor, replaces: 'a-key-that-does-not-exist' },
      { ...successor, replaces: successor.key },
      { ...successor, workspace: 'other', key: 'a-key-of-the-other-workspace' },
    ]) {
      const problems = reported(await problemsOf(database.load([other, wrong])))
      expect(problems).toEqual([expect.stringContaining('2 replaces must be another key')])
    }
  })

  test.each([
    ['left out', undefined, '2026-05-05T05:05:05Z', 0],
    ['null', null, '2026-05-05T05:05:05Z', 1],
    ['later', '2027-01-01T00:00:00Z', '2026-05-05T05:05:05Z', 0],
    ['earlier', '2025-01-01T00:00:00+01:00', '2024-12-31T23:00:00Z', 0],
  ])('a revoked key stays revoked: %s', async (_, revoked_at, stored, warned) => {
    await database.load([account, workspace, { ...key, revoked_at: '2026-05-05T05:05:05Z' }])
    const { warnings } = await database.load([{ ...key, revoked_at }])
    expect((await exportedOf('api_key')).revoked_at).toBe(stored)
    expect(warnings).toHaveLength(warned)
  })

  test('keeps the fraction of a stored timestamp when a file has the same second', async () => {
    await database.load(samples)
    database.withDatabase((db) =>
      db.exec(
        `UPDATE ApiKey SET revokedAt = ${Date.parse('2026-05-05T05:05:05.678Z')};
         UPDATE Account SET registeredAt = registeredAt + 123`,
      ),
    )
    const { counts } = await database.loadText(await database.exported())
    expect(Object.values(counts).every(({ created, updated }) => created + updated === 0)).toBe(true)
  })

  test('what the driver of the service reads: integers, no key in clear', async () => {
    await database.load(samples)
    const [stored, types] = database.withDatabase((db) => [
      db.prepare('SELECT * FROM Purchase').get(),
      db
        .prepare(
          'SELECT typeof(price) AS price, typeof(downloaded) AS downloaded, typeof(itemId) AS itemId FROM Purchase',
        )
        .get(),
    ])
    expect(stored).toMatchObject({
      date: Date.parse('2024-04-27T12:00:00Z'),
      price: 1999,
      downloaded: 0,
      state: 'active',
    })
    expect(types).toEqual({ price: 'integer', downloaded: 'integer', itemId: 'integer' })
    expect(database.bytes().includes(key.key)).toBe(false)
  })

  test('keeps the words of each customer', async () => {
    const sold = (index: number, customer: object) => ({
      ...sample.purchase,
      purchase_code: `CODE-OF-A-SALE-${index}`,
      ...customer,
    })
    const customers = [{ customer_email: 'Eva@example.com', note: 'two two "words"' }, {}, { order: '#7' }]
    const many = Array.from({ length: 90 }, (_, index) => sold(index, customers[index % 3]!))
    await database.load([...samples, ...many])
    await database.load([sold(0, { note: null, customer_name: 'Rui' }), sold(90, { order: 'A1' })])
    const words = (from: string) => `SELECT "workspaceId", "word", "code" FROM "${from}"`
    const differing = (one: string, other: string) =>
      database.withDatabase((db) => db.prepare(`${words(one)} EXCEPT ${words(other)}`).all())
    expect(differing('PurchaseWord', 'WordOfPurchase')).toEqual([])
    expect(differing('WordOfPurchase', 'PurchaseWord')).toEqual([])
    const count = database.withDatabase((db) => db.prepare('SELECT count(*) FROM PurchaseWord').pluck().get())
    expect(count).toBe(29 * 3 + 2 + 30 + 1)
  })
})

describe('how problems are reported', () => {
  test('every problem by line and field, up to as many as asked for', async () => {
    const lines = Array.from({ length: 30 }, (_, index) => ({
      ...purchase,
      purchase_code: `CODE-${index}-LONG-ENOUGH`,
      item: 0,
    }))
    const error = await database.load(lines, { maxErrors: 5 }).catch((reason: unknown) => reason)
    expect(error).toMatchObject({
      more: true,
      problems: [1, 2, 3, 4, 5].map((line) => ({ line, field: 'item' })),
    })
    expect(await problemsOf(database.load(lines, { maxErrors: 50 }))).toHaveLength(30)
    expect(reported(await problemsOf(database.load(lines.slice(0, 1), { locale: 'pt' })))[0]).toContain(
      'deve ser',
    )
  })

  test('reports a missing item once', async () => {
    const purchases = [1, 2, 3].map((index) => ({ ...purchase, purchase_code: `CODE-${index}-LONG-ENOUGH` }))
    expect(reported(await problemsOf(database.load(purchases)))).toEqual([
      expect.stringContaining('1 item names no item'),
    ])
  })

  test('short codes are warned of, and counted past the limit', async () => {
    const short = Array.from({ length: 30 }, (_, index) => ({ ...purchase, purchase_code: `s${index}` }))
    const { warnings, warningCount } = await database.load([...samples, ...short])
    expect([warnings.length, warningCount, warnings[0]?.line]).toEqual([20, 30, 6])
  })

  test('a dry run says the same and stores nothing', async () => {
    const { counts } = await database.load(samples, { dryRun: true })
    expect(counts.purchase).toEqual({ created: 1, updated: 0, unchanged: 0 })
    expect(await database.exported()).toBe('')
    expect((await database.load(samples)).counts).toEqual(counts)
  })

  test('a mangled line stores nothing and is reported without its values', async () => {
    const secrets = ['canary-key-SECRET-value', 'CANARY-SECRET-CODE', 'canary-SECRET@example.com']
    const file = ndjson([
      { ...account, email: secrets[2] },
      workspace,
      item,
      { ...key, key: secrets[0] },
      { ...purchase, purchase_code: secrets[1] },
    ])
    const bytes = Buffer.from(file)
    const property = fc.asyncProperty(
      fc.nat(bytes.length - 2),
      fc.constantFrom(0x22, 0x7b, 0x5c, 0xff, 0x00),
      async (at, byte) => {
        const mangled = Buffer.from(bytes)
        mangled[at] = byte
        const loading = await database.loadText(mangled).catch((reason: unknown) => reason)
        if (loading instanceof ImportError) {
          expect(JSON.stringify(loading.problems)).not.toContain('SECRET')
          expect(await database.exported()).toBe('')
        } else {
          // A byte that only changed a text to another one.
          expect(loading).toHaveProperty('counts')
          database.clear()
        }
      },
    )
    await fc.assert(property, { numRuns: 30 })
  })

  test('nothing is left beside the database', async () => {
    await database.load(samples)
    await database.load([{ ...item, id: 0 }]).catch(() => {})
    const { readdirSync } = await import('node:fs')
    expect(readdirSync(database.directory).filter((name) => name.includes('import'))).toEqual([])
    expect(statSync(database.file).size).toBeGreaterThan(0)
  })
})
