import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { operations } from '@saleproof/schema'
import {
  type ConsoleEndpointName,
  type ConsolePathParameters,
  type ConsoleRequests,
  consoleEndpoints,
} from '@saleproof/schema/console'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Browser, createBrowser, errorOf, password } from '../support/console-client.ts'
import { beginWriting } from '../support/database.ts'
import { startService, type TestService } from '../support/harness.ts'
import { codes, records, secretKey } from '../support/records.ts'

const withPasswords = records.map((record) =>
  (record as { type: string }).type === 'account' ? { ...record, password } : record,
)
const notFound = [404, { code: 'not_found' }]
const studio = { slug: 'ada-studio' }

let service: TestService
let ada: Browser
let bob: Browser
beforeAll(async () => {
  service = await startService({ records: withPasswords, env: { SALEPROOF_SIGN_IN_LIMIT: 'off' } })
  ada = createBrowser(service.url)
  bob = createBrowser(service.url)
  await ada.signIn('ada')
  await bob.signIn('bob')
})
afterAll(() => service.close())

/** With curl, as an owner would who has just copied the key. */
async function curl(apiKey: string, path: string = operations.getAccount.path): Promise<number> {
  const args = [
    '-s',
    '-o',
    '/dev/null',
    '-w',
    '%{http_code}',
    `${service.url}${path}`,
    '-H',
    `Authorization: Bearer ${apiKey}`,
  ]
  const { stdout } = await promisify(execFile)('curl', args)
  return Number(stdout)
}

const invalid = (fields: object) => [422, { code: 'invalid', fields }]

describe('keys', () => {
  test('work right after they are created, and fail right after they are revoked', async () => {
    const made = await ada.ask('createKey', studio, { name: ' Server ', kind: 'secret' })
    expect(made).toMatchObject({ name: 'Server', kind: 'secret', state: 'live', expires_at: null, items: [] })
    expect(await curl(made.api_key)).toBe(200)
    const other = await ada.ask('createKey', studio, { name: 'Server, new', kind: 'secret' })
    expect([await curl(made.api_key), await curl(other.api_key)]).toEqual([200, 200])
    const revoked = await ada.ask('revokeKey', { ...studio, id: made.id })
    expect(revoked).toMatchObject({ id: made.id, state: 'revoked' })
    expect([await curl(made.api_key), await curl(other.api_key)]).toEqual([401, 200])
    expect(await ada.ask('revokeKey', { ...studio, id: made.id })).toEqual(revoked)
  })

  test('are shown again after the password', async () => {
    const made = await ada.ask('createKey', studio, {
      name: 'shown',
      kind: 'publishable',
      items: [102, 101, 102],
    })
    expect(made).toMatchObject({ kind: 'publishable', items: [101, 102] })
    const show = (typed: string) => ada.call('showKey', { ...studio, id: made.id }, { password: typed })
    expect(errorOf(await show('wrong'))).toEqual([403, { code: 'wrong_password' }])
    expect(JSON.parse((await show(password)).text)).toEqual({ api_key: made.api_key })
    const entries = await service.database.prisma.auditEntry.findMany({ where: { subject: made.id } })
    expect(entries.map(({ action, actor }) => [action, actor.split(':')[0]])).toEqual([
      ['key.created', 'console'],
      ['key.shown', 'console'],
    ])
  })

  test('are made once by a form that is sent again because the response was lost', async () => {
    const form = { name: 'sent twice', kind: 'secret', request_id: 'form-of-the-first-key' } as const
    const made = await ada.ask('createKey', studio, form)
    expect(await ada.ask('createKey', studio, form)).toEqual(made)
    const rotation = { ends_at: null, request_id: 'form-of-the-rotation' }
    const rotated = await ada.ask('rotateKey', { ...studio, id: made.id }, rotation)
    expect(await ada.ask('rotateKey', { ...studio, id: made.id }, rotation)).toEqual(rotated)
    const entries = await service.database.prisma.auditEntry.findMany({
      where: { subject: { in: [made.id, rotated.id] } },
    })
    expect(entries.map(({ action }) => action).sort()).toEqual(['key.created', 'key.created', 'key.rotated'])
    // To read a key later takes the password.
    await ada.ask('revokeKey', { ...studio, id: made.id })
    expect((await ada.call('createKey', studio, form)).status).toBe(422)
    // Another form, and the same words of another owner, get nothing of it.
    const other = await ada.call('createKey', studio, { ...form, request_id: 'form-of-another-key' })
    expect(other.status).toBe(422)
    const others = await bob.ask('createKey', { slug: 'bob-works' }, form)
    expect([others.id, others.api_key]).not.toContain(made.id)
    expect(others.api_key).not.toBe(made.api_key)
    expect((await ada.call('createKey', studio, { ...form, request_id: 'short' })).status).toBe(422)
  })

  test('are listed without the keys themselves', async () => {
    const { text } = await ada.call('listKeys', studio)
    expect(text).not.toContain(secretKey)
    const { keys } = await ada.ask('listKeys', studio)
    expect(keys.find(({ name }) => name === 'old')?.state).toBe('expired')
    expect(keys.find(({ name }) => name === 'leaked')?.state).toBe('revoked')
    expect(keys.find(({ name }) => name === 'production')).toMatchObject({ state: 'live', kind: 'secret' })
  })

  test('are listed with their last four characters, which are never those of a short key', async () => {
    const made = await ada.ask('createKey', studio, { name: 'last four', kind: 'secret' })
    expect(made.last_four).toBe(made.api_key.slice(-4))
    const { keys } = await ada.ask('listKeys', studio)
    expect(keys.find(({ id }) => id === made.id)?.last_four).toBe(made.last_four)
    // Imported, as all of `records` are.
    expect(keys.find(({ name }) => name === 'production')?.last_four).toBe(secretKey.slice(-4))
    const short = '0123456789abcdef123'
    await service.database.prisma.apiKey.update({
      where: { id: made.id },
      data: {
        keyHash: service.opened.vault.hash(short),
        keyCipher: service.opened.vault.seal(short) as Uint8Array<ArrayBuffer>,
      },
    })
    const { keys: changed } = await ada.ask('listKeys', studio)
    expect(changed.find(({ id }) => id === made.id)?.last_four).toBeNull()
  })

  test('have a name of their own while they work', async () => {
    const create = (name: string, expires_at?: string) =>
      ada.call('createKey', studio, { name, kind: 'secret', ...(expires_at && { expires_at }) })
    const { id } = JSON.parse((await create('one name')).text)
    expect(errorOf(await create(' one name '))).toEqual(invalid({ name: 'name_taken' }))
    const together = await Promise.all([create('two at once'), create('two at once')])
    expect(together.map(({ status }) => status).sort()).toEqual([200, 422])
    await ada.ask('revokeKey', { ...studio, id })
    expect((await create('one name')).status).toBe(200)
    // Imported keys may share a name, and expired ones give theirs up.
    expect((await create('old')).status).toBe(200)
    expect(
      (await bob.call('createKey', { slug: 'bob-works' }, { name: 'one name', kind: 'secret' })).status,
    ).toBe(200)
  })

  test.each<[ConsoleRequests['createKey'], object]>([
    [{ name: 'a', kind: 'secret', items: [101] }, { items: 'key_secret' }],
    [{ name: 'a', kind: 'publishable', items: [201] }, { items: 'key_items' }],
    [{ name: 'a', kind: 'publishable', items: [777] }, { items: 'key_items' }],
    [{ name: 'a', kind: 'secret', expires_at: '2020-01-01T00:00:00Z' }, { expires_at: 'past' }],
    [{ name: ' ', kind: 'secret' }, { name: 'not_empty' }],
  ])('are refused: %j', async (request, fields) => {
    expect(errorOf(await ada.call('createKey', studio, request))).toEqual(invalid(fields))
  })
})

describe('a rotated key', () => {
  const hour = 60 * 60 * 1000
  const inHours = (hours: number) => new Date(Math.floor(Date.now() / 1000) * 1000 + hours * hour)
  const iso = (date: Date) => date.toISOString().replace('.000Z', 'Z')

  test('works beside its successor until its end', async () => {
    const old = await ada.ask('createKey', studio, {
      name: 'rotated',
      kind: 'publishable',
      items: [101, 102],
    })
    const end = inHours(24)
    const rotated = await ada.ask('rotateKey', { ...studio, id: old.id }, { ends_at: iso(end) })
    expect(rotated).toMatchObject({
      name: 'rotated',
      kind: 'publishable',
      items: [101, 102],
      state: 'live',
      expires_at: null,
      replaces: old.id,
      last_four: rotated.api_key.slice(-4),
      replaced: { id: old.id, state: 'live', expires_at: iso(end), last_four: old.last_four },
    })
    // Both are accepted: account details are refused to a publishable key only after that.
    expect([await curl(old.api_key), await curl(rotated.api_key)]).toEqual([403, 403])
    const { keys } = await ada.ask('listKeys', studio)
    expect(keys.find(({ id }) => id === rotated.id)?.replaces).toBe(old.id)
    const entries = await service.database.prisma.auditEntry.findMany({
      where: { subject: { in: [old.id, rotated.id] } },
      orderBy: { number: 'asc' },
    })
    expect(entries.map(({ action, subject }) => [action, subject])).toEqual([
      ['key.created', old.id],
      ['key.created', rotated.id],
      ['key.rotated', old.id],
    ])
  })

  test('stops at once where its owner says so', async () => {
    const old = await ada.ask('createKey', studio, { name: 'ends at once', kind: 'secret' })
    expect(await curl(old.api_key)).toBe(200)
    const rotated = await ada.ask('rotateKey', { ...studio, id: old.id }, { ends_at: null })
    expect(rotated.replaced.state).toBe('expired')
    expect([await curl(old.api_key), await curl(rotated.api_key)]).toEqual([401, 200])
  })

  test('keeps an earlier expiry date, and its successor lives as long as it did', async () => {
    const expires = inHours(2)
    const { id, created_at: created } = await ada.ask('createKey', studio, {
      name: 'expires first',
      kind: 'secret',
      expires_at: iso(expires),
    })
    const rotated = await ada.ask('rotateKey', { ...studio, id }, { ends_at: iso(inHours(48)) })
    expect(rotated.replaced.expires_at).toBe(iso(expires))
    const lifetime = (from: string, to: string | null) => Date.parse(to ?? '') - Date.parse(from)
    expect(lifetime(rotated.created_at, rotated.expires_at)).toBeGreaterThan(2 * hour - 5000)
    expect(lifetime(rotated.created_at, rotated.expires_at)).toBeLessThanOrEqual(
      lifetime(created, iso(expires)) + 1000,
    )
  })

  test('has one successor, which works: others are refused, and nothing is stored', async () => {
    const { id } = await ada.ask('createKey', studio, { name: 'once only', kind: 'secret' })
    const rotate = (key: string, ends_at: string | null = iso(inHours(24))) =>
      ada.call('rotateKey', { ...studio, id: key }, { ends_at })
    expect(errorOf(await rotate(id, '2020-01-01T00:00:00Z'))).toEqual(invalid({ ends_at: 'past' }))
    const [one, two] = await Promise.all([rotate(id), rotate(id)])
    expect([one.status, two.status].sort()).toEqual([200, 422])
    const successor = JSON.parse((one.status === 200 ? one : two).text)
    const before = await stored()
    expect(errorOf(await rotate(id))).toEqual(invalid({ '': 'key_replaced' }))
    expect(await stored()).toBe(before)
    // Without a successor that works it can be rotated again.
    await ada.ask('revokeKey', { ...studio, id: successor.id })
    expect((await rotate(id)).status).toBe(200)
    expect(errorOf(await rotate(successor.id))).toEqual(invalid({ '': 'key_inactive' }))
  })
})

describe('workspaces', () => {
  test('are created with defaults that the API follows', async () => {
    expect(await bob.ask('createWorkspace', {}, { slug: 'new-one', name: 'New one' })).toMatchObject({
      shape: null,
      locale: null,
    })
    for (const [browser, name] of [
      [ada, 'New one'],
      [bob, 'x'],
    ] as const)
      expect(errorOf(await browser.call('createWorkspace', {}, { slug: 'new-one', name }))).toEqual(
        invalid({ slug: 'slug_taken' }),
      )
    expect(await bob.call('createWorkspace', {}, { slug: 'new-one', name: 'New one' })).toMatchObject({
      status: 200,
    })
    expect(errorOf(await ada.call('createWorkspace', {}, { slug: 'New One', name: '' }))).toEqual(
      invalid({ slug: 'slug', name: 'not_empty' }),
    )
    const { api_key: key } = await bob.ask('createKey', { slug: 'new-one' }, { name: 'a', kind: 'secret' })
    const language = async () =>
      (await service.request({ path: operations.listItems.path, headers: { 'x-api-key': key } })).headers[
        'content-language'
      ]
    expect(await language()).toBe('en')
    expect(await bob.ask('updateWorkspace', { slug: 'new-one' }, { locale: 'pt' })).toMatchObject({
      locale: 'pt',
      name: 'New one',
    })
    expect(await language()).toBe('pt')
    expect(
      await bob.ask('updateWorkspace', { slug: 'new-one' }, { locale: null, name: 'Newer' }),
    ).toMatchObject({ locale: null, name: 'Newer' })
    expect(await language()).toBe('en')
  })
})

test('an account changes for API clients; a new e-mail address needs the password', async () => {
  const { account: before } = await bob.ask('getSession', {})
  const profile = {
    ...before.profile,
    heading: 'Olá',
    social_links: { z: 'https://z.example/', a: 'https://a.example/' },
  }
  const changed = await bob.ask('updateAccount', {}, { profile, name: { ...before.name, firstname: 'Bob' } })
  expect(changed).toEqual({ ...before, profile, name: { ...before.name, firstname: 'Bob' } })
  expect(Object.keys(changed.profile.social_links)).toEqual(['z', 'a'])
  expect(errorOf(await bob.call('updateAccount', {}, { email: 'b@example.com' }))).toEqual(
    invalid({ current_password: 'required' }),
  )
  expect(
    errorOf(await bob.call('updateAccount', {}, { email: 'b@example.com', current_password: 'x' })),
  ).toEqual([403, { code: 'wrong_password' }])
  const { email } = await bob.ask('updateAccount', {}, { email: 'b@example.com', current_password: password })
  expect(email).toBe('b@example.com')
  expect((await createBrowser(service.url).signIn('B@example.com')).account.username).toBe('bob')
})

/** A request that would be a success in the workspace of its owner. */
const requests: { [Name in ConsoleEndpointName]?: ConsoleRequests[Name] } = {
  updateWorkspace: { name: 'taken over' },
  createKey: { name: 'taken over', kind: 'secret' },
  showKey: { password },
  rotateKey: { ends_at: null },
  searchPurchases: {},
  sumPurchases: {},
  getPurchase: { purchase_code: codes.active },
  setPurchaseState: { purchase_code: codes.active, state: 'revoked' },
  editPurchase: { purchase_code: codes.active, changes: { note: 'taken over' }, before: { note: null } },
  eraseCustomer: { email: 'buyer@example.com' },
  editItem: { changes: { name: 'taken over' }, before: { name: 'x' } },
  exportPurchases: { format: 'csv' },
  check: { purchase_code: codes.active },
  changePassword: { current_password: password, new_password: 'another password' },
  createWorkspace: { slug: 'unasked', name: 'x' },
}

const names = Object.keys(consoleEndpoints) as ConsoleEndpointName[]
const inWorkspaces = names.filter((name) => consoleEndpoints[name].path.includes(':slug'))
const withIds = inWorkspaces.filter((name) => consoleEndpoints[name].path.includes(':id'))

async function call(
  browser: Browser,
  name: ConsoleEndpointName,
  parameters: object,
  request = requests[name],
  options = {},
) {
  const answer = await browser.call(
    name,
    parameters as ConsolePathParameters<typeof name>,
    request as never,
    options,
  )
  const { date, 'x-request-id': id, 'content-disposition': file, ...headers } = answer.headers
  return { status: answer.status, text: answer.text, headers }
}

/** Everything that is stored but for who is signed in and what was recorded. */
async function stored() {
  const { prisma } = service.database
  const all = [prisma.account, prisma.workspace, prisma.apiKey, prisma.item, prisma.purchase] as {
    findMany: () => Promise<object[]>
  }[]
  const rows = await Promise.all(all.map((table) => table.findMany()))
  return JSON.stringify(rows, (_, value) => (typeof value === 'bigint' ? String(value) : value))
}

describe('another owner', () => {
  test.each(inWorkspaces)(
    '%s: a workspace of another owner is as unknown as one that does not exist',
    async (name) => {
      const { keys } = await ada.ask('listKeys', studio)
      const id = name === 'getItem' ? '101' : keys.find((key) => key.name === 'production')!.id
      const before = await stored()
      const [theirs, none] = [
        await call(bob, name, { ...studio, id }),
        await call(bob, name, { slug: 'no-such', id }),
      ]
      expect(theirs).toEqual(none)
      expect([theirs.status, JSON.parse(theirs.text).error]).toEqual(notFound)
      expect(await stored()).toBe(before)
    },
  )

  test.each(withIds)(
    '%s: what is in a workspace of another owner is as unknown in an own one',
    async (name) => {
      const { keys } = await ada.ask('listKeys', studio)
      const [id, none] = name === 'getItem' ? ['101', '777'] : [keys[0]!.id, '0000000000000000']
      const before = await stored()
      const theirs = await call(bob, name, { slug: 'bob-works', id })
      expect(theirs).toEqual(await call(bob, name, { slug: 'bob-works', id: none }))
      expect([theirs.status, JSON.parse(theirs.text).error]).toEqual(notFound)
      expect(await stored()).toBe(before)
    },
  )

  test('purchases of another owner are not found by any endpoint', async () => {
    const own = { slug: 'bob-works' }
    const unknown = codes.active.replace('AAAA', 'QQQQ')
    for (const name of ['getPurchase', 'setPurchaseState', 'searchPurchases', 'check'] as const) {
      const ask = (purchase_code: string) =>
        call(bob, name, own, {
          [name === 'searchPurchases' ? 'search' : 'purchase_code']: purchase_code,
          ...(name === 'setPurchaseState' && { state: 'revoked' as const }),
        } as never)
      expect(await ask(codes.active), name).toEqual(await ask(unknown))
    }
    expect((await bob.ask('searchPurchases', own)).purchases.map(({ purchase_code: code }) => code)).toEqual([
      codes.others,
    ])
    expect(JSON.stringify(await bob.ask('listItems', own))).not.toContain('"id":101')
    const { text } = await bob.call('exportPurchases', own, { format: 'ndjson' })
    expect(text.trimEnd().split('\n')).toHaveLength(1)
  })
})

/** The others are how a session begins: who has a reset link has no session yet. */
const needsSession = (name: ConsoleEndpointName) =>
  name !== 'signIn' && name !== 'checkResetLink' && name !== 'resetPassword'

describe('every endpoint', () => {
  const parameters = { ...studio, id: '101' }

  test.each(names.filter(needsSession))('%s: a caller who is not signed in gets 401', async (name) => {
    const anonymous = await call(createBrowser(service.url), name, parameters)
    expect([anonymous.status, JSON.parse(anonymous.text).error]).toEqual([401, { code: 'not_signed_in' }])
    expect(anonymous.headers).toMatchObject({ 'cache-control': 'no-store' })
  })

  const unsafe = names.filter((name) => needsSession(name) && consoleEndpoints[name].method !== 'GET')
  test.each(unsafe)('%s: needs the CSRF token, and the same site', async (name) => {
    const before = await stored()
    const without = await call(ada, name, parameters, undefined, { token: 'x' })
    expect(JSON.parse(without.text).error).toEqual({ code: 'wrong_csrf_token' })
    const across = await call(ada, name, parameters, requests[name], {
      headers: { origin: 'https://evil.example' },
    })
    expect(JSON.parse(across.text).error).toEqual({ code: 'cross_site' })
    expect(await stored()).toBe(before)
  })

  test.each(['{', '[]', '"x"', 'null', '\ud800'])(
    'a body that is not an object is rejected: %s',
    async (body) => {
      expect(errorOf(await ada.call('createKey', studio, body))).toEqual([400, { code: 'malformed_body' }])
    },
  )

  test('a body of more than 64 KiB, of another type or compressed is rejected', async () => {
    const large = JSON.stringify({ name: 'x'.repeat(64 * 1024) })
    expect(errorOf(await ada.call('createKey', studio, large))).toEqual([413, { code: 'body_too_large' }])
    for (const headers of [{ 'content-type': 'text/plain' }, { 'content-encoding': 'gzip' }])
      expect(errorOf(await ada.call('createKey', studio, '{}', { headers }))).toEqual([
        415,
        { code: 'unsupported_media_type' },
      ])
  })

  test('unknown paths and methods get errors in the same format', async () => {
    const at = async (method: string, path: string) => {
      const answer = await service.request({ method, path })
      return [...errorOf(answer), answer.headers.allow]
    }
    expect(await at('GET', '/console/api/nothing')).toEqual([404, { code: 'not_found' }, undefined])
    expect(await at('GET', '/console/api')).toEqual([404, { code: 'not_found' }, undefined])
    expect(await at('PUT', '/console/api/session')).toEqual([
      405,
      { code: 'method_not_allowed' },
      'GET, POST, DELETE',
    ])
    expect(await at('OPTIONS', '/console/api/workspaces/x')).toEqual([
      405,
      { code: 'method_not_allowed' },
      'PATCH',
    ])
  })

  test('a body that is too large is rejected', async () => {
    const name = 'x'.repeat(70_000)
    expect(errorOf(await ada.call('createKey', studio, { name, kind: 'secret' }))).toEqual([
      413,
      { code: 'body_too_large' },
    ])
  })
})

test('a database that is busy for too long is a 503, and nothing is stored', async () => {
  const finish = await beginWriting(service)
  const answer = await ada.call('createKey', studio, { name: 'busy', kind: 'secret' })
  await finish()
  expect(errorOf(answer)).toEqual([503, { code: 'unavailable', retry_after: 1 }])
  expect(answer.headers['retry-after']).toBe('1')
  const { keys } = await ada.ask('listKeys', studio)
  expect(keys.map(({ name }) => name)).not.toContain('busy')
})

test('log lines contain no personal data', () => {
  const text = service.logs.join('')
  expect(text).toContain('"route":"/console/api/workspaces/:slug/purchases/detail"')
  for (const secret of [password, codes.active, secretKey, 'example.com', 'ada-studio'])
    expect(text, secret).not.toContain(secret)
})
