import { mkdirSync, rmSync } from 'node:fs'
import { operations } from '@saleproof/schema'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { usageFilePath } from '../../src/db/location.ts'
import { pruneAudit } from '../../src/domain/audit-retention.ts'
import { createItemRemoval } from '../../src/domain/item-removal.ts'
import type { OpenDatabase } from '../../src/open-database.ts'
import { type Browser, createBrowser, password } from '../support/console-client.ts'
import { startService, type TestService, temporaryFolder } from '../support/harness.ts'
import { codes, records, secretKey } from '../support/records.ts'

const withPasswords = records.map((record) =>
  (record as { type: string }).type === 'account' ? { ...record, password } : record,
)
const studio = { slug: 'ada-studio' }
const start = Date.parse('2026-03-01T12:00:00Z')

let time = start
let service: TestService
let ada: Browser

const serve = (folder?: string) =>
  startService({
    ...(folder === undefined ? { records: withPasswords } : { folder }),
    clock: () => new Date(time),
    env: { SALEPROOF_SIGN_IN_LIMIT: 'off', ADMIN_TOKEN: 'a-token-of-the-admin-import' },
  })

async function signIn({ url }: TestService) {
  const browser = createBrowser(url)
  await browser.signIn('ada')
  return browser
}

beforeAll(async () => {
  service = await serve()
  ada = await signIn(service)
})
afterAll(() => service.close())

const validate = (code: string, { request }: Pick<TestService, 'request'> = service) =>
  request({
    method: 'POST',
    path: operations.validatePurchase.path,
    headers: { 'x-api-key': secretKey, 'content-type': 'application/json' },
    body: JSON.stringify({ purchase_code: code }),
  })

const historyOf = async (code: string, browser = ada) =>
  (await browser.ask('getPurchase', studio, { purchase_code: code })).history

const sale = (code: string, more: object = {}) => ({
  type: 'purchase' as const,
  item: 101,
  purchase_code: code,
  license_type: 'Regular',
  price: 10,
  currency: 'USD',
  downloaded: false,
  date: '2026-02-01T08:00:00Z',
  ...more,
})

const byAda = { kind: 'account', username: 'ada' }
const byCommand = { kind: 'cli', username: null }
const none = { count: 0, first_at: null, last_at: null }

test('a purchase says when it was imported', async () => {
  expect(await historyOf(codes.active)).toEqual({
    created: { at: '2026-03-01T12:00:00Z', by: byCommand, manual: false },
    validations: none,
    changes: [],
    shortened: false,
  })
})

test('a sale that was recorded by hand says by whom; a file that was uploaded is an import', async () => {
  time = start + 60_000
  await ada.ask('importRecords', studio, { records: [sale('MADE-BY-HAND-0001')], only_new: true })
  await ada.ask('importRecords', studio, { records: [sale('FROM-A-FILE-0001')] })
  const created = { at: '2026-03-01T12:01:00Z', by: byAda }
  expect((await historyOf('MADE-BY-HAND-0001')).created).toEqual({ ...created, manual: true })
  expect((await historyOf('FROM-A-FILE-0001')).created).toEqual({ ...created, manual: false })
})

test('each change of the state says when and by whom, newest first', async () => {
  const code = 'REFUNDED-AND-BACK-1'
  await service.load([sale(code)])
  const set = (state: 'active' | 'refunded' | 'revoked') =>
    ada.ask('setPurchaseState', studio, { purchase_code: code, state })
  time = start + 120_000
  await set('refunded')
  await set('refunded')
  time = start + 180_000
  await set('active')
  time = start + 240_000
  const imported = await service.request({
    method: 'POST',
    path: '/admin/import',
    headers: { authorization: 'Bearer a-token-of-the-admin-import' },
    body: JSON.stringify(sale(code, { state: 'revoked', downloaded: true })),
  })
  expect(imported.status).toBe(200)
  time = start + 300_000
  await service.load([sale(code, { state: 'revoked', downloaded: false })])
  expect((await historyOf(code)).changes).toEqual([
    {
      at: '2026-03-01T12:04:00Z',
      by: { kind: 'admin_import', username: null },
      state: 'revoked',
      fields: [],
    },
    { at: '2026-03-01T12:03:00Z', by: byAda, state: 'active', fields: [] },
    { at: '2026-03-01T12:02:00Z', by: byAda, state: 'refunded', fields: [] },
  ])
})

test('a purchase from before histories were recorded has a part of one', async () => {
  const code = 'OLDER-THAN-HISTORY-1'
  await service.load([sale(code)])
  await service.database.prisma.purchase.updateMany({ where: { code }, data: { createdEntry: null } })
  expect(await historyOf(code)).toEqual({ created: null, validations: none, changes: [], shortened: false })
})

test('a purchase whose history retention has removed says so, and keeps what came later', async () => {
  const code = 'SHORTENED-HISTORY-1'
  const own = await startService({ records: withPasswords, clock: () => new Date(time), env: service.env })
  try {
    const set = (owner: Browser, state: 'active' | 'refunded') =>
      owner.ask('setPurchaseState', studio, { purchase_code: code, state })
    time = start
    await own.load([sale(code)])
    await set(await signIn(own), 'refunded')
    time = start + 10 * 86_400_000
    const owner = await signIn(own)
    await set(owner, 'active')
    const change = { at: '2026-03-11T12:00:00Z', by: byAda, state: 'active', fields: [] }
    expect(await historyOf(code, owner)).toMatchObject({ changes: [change, {}], shortened: false })
    expect(await pruneAudit(own.database, 5, new Date(time))).toBeGreaterThan(0)
    expect(await historyOf(code, owner)).toEqual({
      created: null,
      validations: none,
      changes: [change],
      shortened: true,
    })
  } finally {
    await own.close()
    time = start
  }
})

test('validations are counted as the stored code, whatever was pasted; failures and checks are not', async () => {
  const code = 'VALIDATED-BY-A-BUYER-1'
  await service.load([sale(code)])
  time = start + 400_000
  await validate(code)
  time = start + 460_000
  await validate(` ${code.replaceAll('-', '\u2013')} `)
  await validate(`${code}2`)
  await ada.ask('check', studio, { purchase_code: code })
  time = start + 520_000
  await ada.ask('setPurchaseState', studio, { purchase_code: code, state: 'refunded' })
  await validate(code)
  expect((await historyOf(code)).validations).toEqual({
    count: 2,
    first_at: '2026-03-01T12:06:40Z',
    last_at: '2026-03-01T12:07:40Z',
  })
  expect((await historyOf(codes.video)).validations).toEqual(none)
})

test('validations of several instances are added up, and kept over a restart', async () => {
  const { folder, remove } = await temporaryFolder()
  onTestFinished(remove)
  const code = 'VALIDATED-EVERYWHERE-1'
  const first = await serve(folder)
  await first.load([...withPasswords, sale(code)])
  const second = await serve(folder)
  const all = { count: 5, first_at: '2026-03-01T14:00:00Z', last_at: '2026-03-01T15:00:00Z' }
  try {
    time = Date.parse('2026-03-01T14:00:00Z')
    for (let times = 0; times < 2; times++) await validate(code, first)
    time = Date.parse('2026-03-01T15:00:00Z')
    for (let times = 0; times < 3; times++) await validate(code, second)
    const browser = await signIn(first)
    const counted = async () => (await historyOf(code, browser)).validations
    await expect.poll(counted).toEqual(all)
    time = Date.parse('2026-03-01T16:00:00Z')
    await validate(code, second)
  } finally {
    // Writes what is not written yet.
    await second.close()
    await first.close()
  }
  const again = await serve(folder)
  try {
    const browser = await signIn(again)
    expect((await historyOf(code, browser)).validations).toEqual({
      ...all,
      count: 6,
      last_at: '2026-03-01T16:00:00Z',
    })
  } finally {
    await again.close()
  }
})

test('nothing of a removed purchase remains, nor comes back with the same code', async () => {
  const item = { ...records.find((record) => (record as { id?: number }).id === 101)!, id: 7100 }
  const code = 'REMOVED-WITH-ITS-ITEM-1'
  const sold = [item, sale(code, { item: 7100 })]
  await service.load(sold)
  await validate(code)
  await ada.ask('setPurchaseState', studio, { purchase_code: code, state: 'refunded' })
  await ada.ask('setPurchaseState', studio, { purchase_code: code, state: 'active' })
  expect(await historyOf(code)).toMatchObject({ validations: { count: 1 } })
  await validate(code)
  const { prisma, transact } = service.database
  const { usage } = service.opened
  const removeItem = createItemRemoval({ transact, usage, now: () => time, record: async () => 0 })
  await removeItem(7100n, { withPurchases: true })
  expect(await prisma.purchaseChange.count({ where: { code } })).toBe(0)
  time += 1000
  await service.load(sold)
  expect(await historyOf(code)).toMatchObject({ validations: none, changes: [] })
  await validate(code)
  expect(await historyOf(code)).toMatchObject({ validations: { count: 1 } })
})

async function breakUsage({ place, database }: OpenDatabase) {
  if (place.kind === 'postgresql') {
    await database.prisma.$executeRawUnsafe('DROP TABLE "PurchaseUse"')
    return
  }
  const file = usageFilePath(place.file)
  rmSync(file, { force: true })
  mkdirSync(file)
}

test('what a process has yet to write of a removed purchase is not written', async () => {
  const code = 'REMOVED-WHILE-COUNTED-1'
  await service.load([sale(code)])
  await validate(code)
  await ada.ask('removePurchase', studio, { purchase_code: code })
  await service.load([sale(code)])
  expect(await historyOf(code)).toMatchObject({ validations: none })
  time += 1000
  await validate(code)
  expect(await historyOf(code)).toMatchObject({ validations: { count: 1 } })
})

test('a purchase is shown and refunded while its validations cannot be read', async () => {
  const { folder, remove } = await temporaryFolder()
  onTestFinished(remove)
  const broken = await serve(folder)
  try {
    await broken.load(withPasswords)
    const browser = await signIn(broken)
    await validate(codes.active, broken)
    await breakUsage(broken.opened)
    const input = { purchase_code: codes.active }
    expect((await historyOf(codes.active, browser)).validations).toBeNull()
    await browser.ask('setPurchaseState', studio, { ...input, state: 'refunded' })
    expect(await historyOf(codes.active, browser)).toMatchObject({ changes: [{ state: 'refunded' }] })
  } finally {
    await broken.close()
  }
})
