import { activityKinds, type ConsoleRequests } from '@saleproof/schema/console'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { saleproof } from '../support/command.ts'
import { type Browser, createBrowser, errorOf, password } from '../support/console-client.ts'
import { databaseUrlIn } from '../support/database.ts'
import { startService, type TestService, temporaryFolder } from '../support/harness.ts'
import { codes, records } from '../support/records.ts'

const withPasswords = records.map((record) =>
  (record as { type: string }).type === 'account' ? { ...record, password } : record,
)
const studio = { slug: 'ada-studio' }

let home: Awaited<ReturnType<typeof temporaryFolder>>
let service: TestService
let ada: Browser
let bob: Browser
beforeAll(async () => {
  home = await temporaryFolder()
  service = await startService({
    records: withPasswords,
    folder: home.folder,
    env: { SALEPROOF_SIGN_IN_LIMIT: 'off' },
  })
  ada = createBrowser(service.url)
  bob = createBrowser(service.url)
  await ada.signIn('ada')
  await bob.signIn('bob')
})
afterAll(async () => {
  await service.close()
  await home.remove()
})

async function run(...args: string[]) {
  const { folder } = home
  const env = { DATABASE_URL: await databaseUrlIn(folder), PUBLIC_URL: 'https://market.example.com' }
  const { code, stdout, stderr } = await saleproof(args, { cwd: folder, env })
  expect([code, stderr]).toEqual([0, expect.any(String)])
  return stdout.trim()
}

const list = (request: ConsoleRequests['listActivity'] = {}, slug = 'ada-studio') =>
  ada.ask('listActivity', { slug }, request)

const newest = async (request: ConsoleRequests['listActivity'] = {}) => (await list(request)).entries[0]

/** Every entry, page by page. */
async function all(request: ConsoleRequests['listActivity'] = {}, browser = ada, slug = 'ada-studio') {
  const found = []
  let cursor: string | null = null
  do {
    const more: ConsoleRequests['listActivity'] = { limit: '3', ...request, ...(cursor && { cursor }) }
    const page = await browser.ask('listActivity', { slug }, more)
    found.push(...page.entries)
    cursor = page.next_cursor
  } while (cursor)
  return found
}

const byAda = { kind: 'account', username: 'ada' }
const byCli = { kind: 'cli', username: null }

describe('the newest entry says', () => {
  test('which key, by name and last four characters', async () => {
    const made = await ada.ask('createKey', studio, { name: 'Server', kind: 'secret' })
    const key = { name: 'Server', last_four: made.api_key.slice(-4) }
    expect(await newest()).toMatchObject({
      action: 'key.created',
      by: byAda,
      key,
      item: null,
      purchase: null,
    })
    await run('key', 'revoke', made.id)
    expect(await newest()).toMatchObject({ action: 'key.revoked', by: byCli, key })
  })

  test('which purchase, by its code, and what became of it', async () => {
    for (const state of ['refunded', 'active'] as const) {
      await ada.ask('setPurchaseState', studio, { purchase_code: codes.active, state })
      expect(await newest()).toMatchObject({
        action: 'purchase.changed',
        by: byAda,
        purchase: { purchase_code: codes.active, state },
      })
    }
  })

  test('which item, by id and name', async () => {
    await ada.ask('withdrawItem', { ...studio, id: '101' })
    expect(await newest()).toMatchObject({
      action: 'item.withdrawn',
      by: byAda,
      item: { id: 101, name: 'Icon pack' },
    })
    await ada.ask('restoreItem', { ...studio, id: '101' })
  })

  test('how much an import created or changed', async () => {
    const sale = (code: string) => ({
      type: 'purchase' as const,
      item: 101,
      purchase_code: code,
      license_type: 'Regular',
      price: 19.99,
      currency: 'USD',
      date: '2026-01-01T00:00:00Z',
      downloaded: false,
    })
    const imported = [sale('SOLD-0001-0001-0001'), sale('SOLD-0002-0002-0002')]
    const { stored, problems } = await ada.ask('importRecords', studio, { records: imported })
    expect([stored, problems]).toEqual([true, []])
    expect(await newest()).toMatchObject({
      action: 'import',
      by: byAda,
      imported: { items: 0, purchases: 2 },
    })
    const others = (await all({ kind: 'data' }, ada, 'lisboa')).map(({ imported }) => imported)
    expect(others).not.toContainEqual({ items: 0, purchases: 2 })
  })

  test('which sale was recorded by hand, which is no change of its history', async () => {
    const sale = {
      type: 'purchase' as const,
      item: 101,
      purchase_code: 'HAND-0001-0001-0001',
      license_type: 'Regular',
      price: 19.99,
      currency: 'USD',
      date: '2026-01-01T00:00:00Z',
      downloaded: false,
    }
    await ada.ask('importRecords', studio, { records: [sale], only_new: true })
    expect(await newest()).toMatchObject({
      action: 'purchase.created',
      by: byAda,
      purchase: { purchase_code: 'HAND-0001-0001-0001', state: 'active' },
    })
    const { history } = await ada.ask('getPurchase', studio, { purchase_code: sale.purchase_code })
    expect([history.created?.manual, history.changes]).toEqual([true, []])
  })

  test('what was done with the account of the owner', async () => {
    await run('account', 'reset-link', 'ada')
    expect(await newest()).toMatchObject({ action: 'reset_link.created', by: byCli })
    await createBrowser(service.url).call('signIn', {}, { login: 'ada', password: 'wrong password' })
    await expect.poll(() => newest()).toMatchObject({ action: 'login.failed', by: byAda })
  })

  test('what was done with the whole service', async () => {
    await run('export')
    expect(await newest()).toMatchObject({ action: 'export', by: byCli, imported: null })
  })
})

test('pages and filters hold every entry once, newest first', async () => {
  const everything = await all()
  const numbers = everything.map(({ number }) => number)
  expect(numbers).toEqual([...new Set(numbers)].sort((one, other) => other - one))
  expect((await list({ limit: '100' })).entries).toEqual(everything)
  for (const kind of Object.keys(activityKinds) as (keyof typeof activityKinds)[])
    for (const by of [undefined, 'account', 'cli', 'admin_import'] as const) {
      const expected = everything.filter(
        (entry) =>
          (activityKinds[kind] as readonly string[]).includes(entry.action) && (!by || entry.by.kind === by),
      )
      expect(await all({ kind, ...(by && { by }) }), `${kind} by ${by}`).toEqual(expected)
    }
  for (const by of ['account', 'cli', 'admin_import'] as const)
    expect(await all({ by })).toEqual(everything.filter((entry) => entry.by.kind === by))
})

test('another owner sees nothing of a workspace and of its owner', async () => {
  expect(errorOf(await bob.call('listActivity', studio, {}))).toEqual([404, { code: 'not_found' }])
  const { workspaces } = await bob.ask('getSession', {})
  const entries = await all({}, bob, workspaces[0]!.slug)
  for (const { by } of entries) expect(by.username).not.toBe('ada')
  const text = JSON.stringify(entries)
  expect(text).not.toContain(codes.active)
  expect(text).not.toContain('Server')
})

test.each([
  [{ kind: 'secrets' }, { kind: 'activity_kind' }],
  [{ by: 'me' }, { by: 'actor_kind' }],
  [{ limit: '101' }, { limit: 'limit' }],
  [{ cursor: 'forged' }, { cursor: 'cursor' }],
])('%j is refused', async (request, fields) => {
  const answer = await ada.call('listActivity', studio, request as ConsoleRequests['listActivity'])
  expect(errorOf(answer)).toEqual([422, { code: 'invalid', fields }])
})

test.each([-1, 0, 2 ** 31, Number.MAX_SAFE_INTEGER])('a cursor that says %d is no error', async (number) => {
  const cursor = Buffer.from(JSON.stringify([number, number])).toString('base64url')
  expect((await ada.call('listActivity', studio, { cursor })).status).toBe(200)
})
