import { existsSync, readFileSync } from 'node:fs'
import { operations } from '@saleproof/schema'
import type { ImportedRecord } from '@saleproof/schema/console'
import Sqlite from 'better-sqlite3'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { purchaseRef } from '../../src/usage/purchase-use.ts'
import { type Browser, createBrowser, errorOf, password } from '../support/console-client.ts'
import { fileOf, onPostgres } from '../support/database.ts'
import { startService, type TestService } from '../support/harness.ts'
import { codes, records, secretKey } from '../support/records.ts'

const studio = { slug: 'ada-studio' }

let service: TestService
let ada: Browser
let bob: Browser
beforeAll(async () => {
  service = await startService({
    records: records.map((record) =>
      (record as { type: string }).type === 'account' ? { ...record, password } : record,
    ),
    env: { SALEPROOF_SIGN_IN_LIMIT: 'off' },
  })
  ada = createBrowser(service.url)
  bob = createBrowser(service.url)
  await ada.signIn('ada')
  await bob.signIn('bob')
})
afterAll(() => service.close())

const validate = async (code: string) =>
  (
    await service.request({
      method: 'POST',
      path: operations.validatePurchase.path,
      headers: { 'x-api-key': secretKey, 'content-type': 'application/json' },
      body: JSON.stringify({ purchase_code: code }),
    })
  ).status

const remove = (owner: Browser, slug: string, code: string) =>
  owner.call('removePurchase', { slug }, { purchase_code: code })

/** The files of the database, of use and of their logs. */
function filesWith(text: string): string[] {
  const file = fileOf(service.opened)
  const names = ['', '-wal', '.usage', '.usage-wal'].map((suffix) => `${file}${suffix}`).filter(existsSync)
  return names.filter((name) => readFileSync(name).includes(text))
}

test('an owner removes a purchase for good, and nobody else does', async () => {
  expect(await validate(codes.active)).toBe(200)
  for (const [owner, slug] of [
    [bob, 'ada-studio'],
    [bob, 'bob-works'],
    [ada, 'lisboa'],
  ] as const)
    expect(errorOf(await remove(owner, slug, codes.active))).toEqual([404, { code: 'not_found' }])
  expect(await validate(codes.active)).toBe(200)

  const { status, text } = await remove(ada, 'ada-studio', codes.active)
  expect([status, text]).toEqual([204, ''])
  expect(await validate(codes.active)).toBe(404)
  expect(errorOf(await remove(ada, 'ada-studio', codes.active))).toEqual([404, { code: 'not_found' }])
  const found = await ada.ask('searchPurchases', studio, { search: codes.active })
  expect(found.purchases).toEqual([])
  if (!onPostgres) expect(filesWith(codes.active)).toEqual([])
})

test('its removal is on the Activity page, without its code', async () => {
  const { entries } = await ada.ask('listActivity', studio, { kind: 'purchases' })
  expect(entries[0]).toMatchObject({
    action: 'purchase.removed',
    by: { kind: 'account', username: 'ada' },
    purchase: null,
  })
  const stored = await service.database.prisma.auditEntry.findMany({ where: { action: 'purchase.removed' } })
  expect(stored).toHaveLength(1)
  expect(JSON.stringify(stored, (_, value) => value)).not.toContain(codes.active)
})

test('however its code was pasted, and in whichever log, nothing of it is left', async () => {
  const { id } = await service.database.prisma.workspace.findUniqueOrThrow({ where: { slug: 'ada-studio' } })
  const code = 'PASTED-AND-REMOVED-0001'
  const sale = records.find((each) => 'purchase_code' in each && each.purchase_code === codes.video)!
  const importSale = (state: string) => {
    const imported = { ...sale, purchase_code: code, state } as ImportedRecord
    return ada.ask('importRecords', studio, { records: [imported] })
  }
  await importSale('active')
  expect(await validate(code)).toBe(200)
  const ref = purchaseRef(id, code)
  if (!onPostgres) await expect.poll(() => filesWith(ref)).not.toEqual([])
  const pasted = ` ${code.replaceAll('-', '\u2013')}\u200b`
  await importSale('refunded')
  expect(await validate(pasted)).toBe(404)
  const failed = async () =>
    (await ada.ask('listFailedCodes', studio, { reason: 'purchase_not_active' })).codes.length
  await expect.poll(failed).toBe(1)
  expect((await remove(ada, 'ada-studio', code)).status).toBe(204)
  expect(await failed()).toBe(0)
  if (!onPostgres) expect(filesWith(ref)).toEqual([])
})

test('the failures of its code are forgotten', async () => {
  expect(await validate(codes.refunded)).toBe(404)
  const failed = async () => {
    const { codes: found } = await ada.ask('listFailedCodes', studio, { reason: 'purchase_not_active' })
    return found.map(({ purchase, masked }) => purchase?.purchase_code ?? masked)
  }
  await expect.poll(failed).toEqual([codes.refunded])
  expect((await remove(ada, 'ada-studio', codes.refunded)).status).toBe(204)
  expect(await failed()).toEqual([])
})

// SQLite alone: readers of PostgreSQL do not keep rows of its log.
if (!onPostgres)
  test('a purchase stays while another program reads its file', async () => {
    const reader = new Sqlite(fileOf(service.opened), { readonly: true })
    reader.exec('BEGIN')
    reader.prepare('SELECT count(*) FROM Purchase').get()
    const { status, text, headers } = await remove(ada, 'ada-studio', codes.video)
    expect([status, JSON.parse(text).error.code, headers['retry-after']]).toEqual([503, 'busy', '5'])
    expect(service.logs.join('')).toContain('another program reads')
    expect(await validate(codes.video)).toBe(200)
    reader.close()
    expect((await remove(ada, 'ada-studio', codes.video)).status).toBe(204)
    expect(filesWith(codes.video)).toEqual([])
  })
