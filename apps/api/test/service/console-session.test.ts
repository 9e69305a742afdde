import { setTimeout as sleep } from 'node:timers/promises'
import { hash } from '@node-rs/argon2'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { createPasswordResets } from '../../src/domain/password-resets.ts'
import { createBrowser, errorOf, password } from '../support/console-client.ts'
import { processorCostsOf } from '../support/cost.ts'
import { onPostgres } from '../support/database.ts'
import { startService, type TestService } from '../support/harness.ts'
import { records } from '../support/records.ts'

const withPasswords = records.map((record) =>
  (record as { type: string }).type === 'account' ? { ...record, password } : record,
)
const day = 24 * 60 * 60 * 1000

let service: TestService
let time = Date.parse('2026-03-01T12:00:00Z')
beforeAll(async () => {
  service = await startService({
    records: withPasswords,
    clock: () => new Date(time),
    env: { SALEPROOF_SIGN_IN_LIMIT: 'off' },
  })
})
afterAll(() => service.close())
beforeEach(() => {
  time += 30 * day
})

const browser = () => createBrowser(service.url)
const notSignedIn = [401, { code: 'not_signed_in' }]

describe('signing in', () => {
  test.each(['ada', 'ada@example.com', 'ADA@Example.COM', ' ada '])('as %j', async (login) => {
    const session = await browser().signIn(login)
    expect(session).toMatchObject({
      account: { username: 'ada', email: 'ada@example.com', balance: -1250.5 },
      service: { public_url: service.url, shape: 'base', locale: 'en' },
    })
    expect(session.workspaces.map(({ slug }) => slug)).toEqual(['ada-studio', 'lisboa'])
    expect(session.account.id).toMatch(/^\w{16}$/)
  })

  test.each([
    ['ada', 'another password'],
    ['nobody', password],
    ['nobody@example.com', password],
    ['Ada', password],
    ['bob@example.com', `${password} `],
  ])('as %j with %j is refused, in the same words', async (login, typed) => {
    const { status, text, headers } = await browser().call('signIn', {}, { login, password: typed })
    expect([status, text]).toEqual([401, '{"error":{"code":"wrong_credentials"}}'])
    expect(headers['set-cookie']).toBeUndefined()
  })

  test.each(['.', 'a.', ' ', 'x'])('with a field whose name is many %j is invalid', async (part) => {
    const name = part.repeat(65_000 / part.length)
    const request = JSON.stringify({ login: 'ada', password, [name]: 1 })
    const refused = await browser().call('signIn', {}, request)
    expect(errorOf(refused)).toMatchObject([422, { code: 'invalid' }])
    expect(refused.text.length).toBeLessThan(100)
  })

  test('sets a cookie that scripts and other sites cannot read', async () => {
    const answer = await browser().call('signIn', {}, { login: 'ada', password })
    expect([answer.headers['set-cookie']].flat()).toEqual([
      expect.stringMatching(
        /^saleproof_session=[\w-]{43}; path=\/console; expires=[^;]+; samesite=strict; httponly$/,
      ),
      expect.stringMatching(
        /^saleproof_device=\d+\.[\w-]{22}\.[\w-]{43}\.[\w-]{43}; path=\/console\/api\/session; expires=[^;]+; samesite=strict; httponly$/,
      ),
    ])
    expect(answer.headers).toMatchObject({
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none';frame-ancestors 'none'",
    })
  })

  test.each([
    ['ada@example.com', 'as address of another account'],
    ['ADA@example.com', 'as address in other letters'],
    ['ada@name.example', 'as name of another account'],
  ])('with %s, used %s, is refused to others', async (email) => {
    const { prisma } = service.database
    const named = { ...(await prisma.account.findUniqueOrThrow({ where: { username: 'ada' } })), id: 'named' }
    const data = { ...named, username: 'ada@name.example', email: '', socialLinks: {} }
    await prisma.account.create({ data })
    onTestFinished(async () => {
      await prisma.account.delete({ where: { id: 'named' } })
    })
    const bob = browser()
    await bob.signIn('bob')
    const taken = await bob.call('updateAccount', {}, { email, current_password: password })
    expect(errorOf(taken)).toEqual([422, { code: 'invalid', fields: { email: 'email_taken' } }])
    expect((await browser().signIn('ada@example.com')).account.username).toBe('ada')
    const heading = { email: 'bob@example.com', name: { firstname: 'B', lastname: 'B', full_name: 'B' } }
    expect((await bob.call('updateAccount', {}, heading)).status).toBe(200)
  })

  test('again starts a new session and ends the old one', async () => {
    const ada = browser()
    await ada.signIn('ada')
    const first = ada.cookie()
    await ada.signIn('ada')
    expect(ada.cookie()).not.toBe(first)
    expect(errorOf(await ada.call('getSession', {}, undefined, { cookie: first }))).toEqual(notSignedIn)
    expect((await ada.call('getSession', {})).status).toBe(200)
  })
})

/** It is written beside the answer. */
const lastUseIsWritten = () =>
  expect
    .poll(async () => {
      const sessions = await service.database.prisma.session.findMany()
      return sessions.map(({ lastSeenAt }) => lastSeenAt.getTime())
    })
    .toContain(time)

describe('a session', () => {
  test('ends after twelve hours without requests', async () => {
    const ada = browser()
    await ada.signIn('ada')
    for (const _ of [1, 2, 3]) {
      time += day / 2 - 1000
      await ada.ask('getSession', {})
      await lastUseIsWritten()
    }
    time += day / 2
    expect(errorOf(await ada.call('getSession', {}))).toEqual(notSignedIn)
  })

  test('ends after a week of requests', async () => {
    const ada = browser()
    await ada.signIn('ada')
    for (let hours = 0; hours < 7 * 24 - 8; hours += 8) {
      time += day / 3
      await ada.ask('getSession', {})
      await lastUseIsWritten()
    }
    time += day / 3
    expect(errorOf(await ada.call('getSession', {}))).toEqual(notSignedIn)
  })

  test('ends with signing out', async () => {
    const ada = browser()
    await ada.signIn('ada')
    const cookie = ada.cookie()
    const out = await ada.call('signOut', {})
    expect([out.status, out.text]).toEqual([204, ''])
    expect([out.headers['set-cookie']].flat()[0]).toMatch(
      /^saleproof_session=; path=\/console; expires=Thu, 01 Jan 1970/,
    )
    expect(errorOf(await ada.call('getSession', {}, undefined, { cookie }))).toEqual(notSignedIn)
  })

  test('cannot be read from the database', async () => {
    const ada = browser()
    await ada.signIn('ada')
    const stored = JSON.stringify(await service.database.prisma.session.findMany())
    expect(stored).not.toContain(ada.cookie()!.split('=')[1])
    expect(stored).not.toContain(ada.token())
  })

  test('is required', async () => {
    for (const cookie of [
      'saleproof_session=',
      'saleproof_session=abc',
      'other=1',
      `saleproof_session=${'x'.repeat(5000)}`,
    ])
      expect(errorOf(await browser().call('getSession', {}, undefined, { cookie }))).toEqual(notSignedIn)
  })
})

describe('a new password', () => {
  test('ends every other session', async () => {
    const [here, there] = [browser(), browser()]
    await here.signIn('bob')
    await there.signIn('bob')
    expect(
      errorOf(
        await here.call(
          'changePassword',
          {},
          { current_password: 'wrong one', new_password: 'a new password' },
        ),
      ),
    ).toEqual([403, { code: 'wrong_password' }])
    expect(
      errorOf(await here.call('changePassword', {}, { current_password: password, new_password: password })),
    ).toEqual([422, { code: 'invalid', fields: { new_password: 'same_password' } }])
    await here.ask('changePassword', {}, { current_password: password, new_password: 'a new password' })
    expect(errorOf(await there.call('getSession', {}))).toEqual(notSignedIn)
    await here.ask('changePassword', {}, { current_password: 'a new password', new_password: password })
    await here.ask('getSession', {})
  })

  test('from an import ends sessions too', async () => {
    const bob = browser()
    await bob.signIn('bob')
    const account = withPasswords.find((record) => (record as { username?: string }).username === 'bob')!
    await service.load([{ ...account, password: 'set by an import' }])
    expect(errorOf(await bob.call('getSession', {}))).toEqual(notSignedIn)
    await service.load([{ ...account, password }])
  })
})

describe('the sessions of an account', () => {
  const firefox = { 'user-agent': 'Mozilla/5.0 (Windows NT 10.0; rv:133.0) Gecko/20100101 Firefox/133.0' }

  /** Alone in the account, whose other sessions end. */
  async function signInAlone() {
    const ada = browser()
    await ada.signIn('ada')
    await ada.ask('endOtherSessions', {})
    return ada
  }

  const actionsOf = async (since: number) => {
    const entries = await service.database.prisma.auditEntry.findMany({ where: { number: { gt: since } } })
    return entries.map(({ action, actor, subject }) => [action, actor === `console:${subject}`])
  }

  test('are listed with browser and times, last used first', async () => {
    const here = await signInAlone()
    time += day / 4
    const there = browser()
    await there.call('signIn', {}, { login: 'ada', password }, { headers: firefox })
    const at = (time: number) => new Date(time).toISOString().replace('.000', '')
    const { sessions } = await here.ask('listSessions', {})
    const id = expect.stringMatching(/^[\w-]{43}$/)
    const [started, later] = [at(time - day / 4), at(time)]
    await expect
      .poll(async () => (await here.ask('listSessions', {})).sessions.map((each) => each.last_used_at))
      .toEqual([later, later])
    expect(sessions).toContainEqual({
      id,
      current: false,
      browser: 'Firefox',
      platform: 'Windows',
      signed_in_at: later,
      last_used_at: later,
    })
    expect(sessions).toContainEqual({
      id,
      current: true,
      browser: null,
      platform: null,
      signed_in_at: started,
      last_used_at: expect.any(String),
    })
    const [token, other] = [here.cookie()!.split('=')[1]!, there.cookie()!.split('=')[1]!]
    const stored = await service.database.prisma.session.findMany({ select: { tokenHash: true } })
    for (const secret of [token, other, ...stored.map(({ tokenHash }) => tokenHash)])
      expect(JSON.stringify(sessions)).not.toContain(secret)
  })

  test('can be ended one by one', async () => {
    const [here, there] = [await signInAlone(), browser()]
    await there.signIn('ada')
    const before = await service.database.prisma.auditEntry.count()
    const other = (await here.ask('listSessions', {})).sessions.find(({ current }) => !current)!
    await here.ask('endSession', { id: other.id })
    expect(errorOf(await there.call('getSession', {}))).toEqual(notSignedIn)
    expect(errorOf(await here.call('endSession', { id: other.id }))).toEqual([404, { code: 'not_found' }])
    expect((await here.ask('listSessions', {})).sessions).toMatchObject([{ current: true }])
    expect(await actionsOf(before)).toEqual([['session.ended', true]])
  })

  test('can be ended all but the own, which is recorded once', async () => {
    const here = await signInAlone()
    const others = [browser(), browser(), browser()]
    for (const other of others) await other.signIn('ada')
    const before = await service.database.prisma.auditEntry.count()
    await here.ask('endOtherSessions', {})
    await here.ask('endOtherSessions', {})
    for (const other of others) expect(errorOf(await other.call('getSession', {}))).toEqual(notSignedIn)
    await here.ask('getSession', {})
    expect(await actionsOf(before)).toEqual([['sessions.ended', true]])
  })

  test('of another account are neither listed nor ended', async () => {
    const [ada, bob] = [await signInAlone(), browser()]
    await bob.signIn('bob')
    const { sessions } = await bob.ask('listSessions', {})
    expect(errorOf(await ada.call('endSession', { id: sessions[0]!.id }))).toEqual([
      404,
      { code: 'not_found' },
    ])
    await ada.ask('endOtherSessions', {})
    await bob.ask('getSession', {})
    expect((await ada.ask('listSessions', {})).sessions).toHaveLength(1)
  })

  test('that are over are not listed', async () => {
    const first = await signInAlone()
    time += day
    const here = browser()
    await here.signIn('ada')
    expect(errorOf(await first.call('getSession', {}))).toEqual(notSignedIn)
    expect((await here.ask('listSessions', {})).sessions).toHaveLength(1)
  })
})

describe('requests from another site are rejected', () => {
  const refused = async (headers: Record<string, string>) => {
    const ada = browser()
    await ada.signIn('ada')
    return errorOf(await ada.call('signOut', {}, undefined, { headers }))
  }

  test.each([
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'none' },
    { origin: 'https://evil.example' },
    { origin: 'null' },
  ])('%j', async (headers) => {
    expect(await refused(headers as Record<string, string>)).toEqual([403, { code: 'cross_site' }])
  })

  test('without a token, or with the token of another session', async () => {
    const [ada, other] = [browser(), browser()]
    await ada.signIn('ada')
    await other.signIn('ada')
    for (const token of ['', 'x', other.token()!])
      expect(errorOf(await ada.call('signOut', {}, undefined, { token }))).toEqual([
        403,
        { code: 'wrong_csrf_token' },
      ])
    await ada.ask('getSession', {})
  })

  test('also sign-ins', async () => {
    const answer = await browser().call(
      'signIn',
      {},
      { login: 'ada', password },
      { headers: { 'sec-fetch-site': 'cross-site' } },
    )
    expect(errorOf(answer)).toEqual([403, { code: 'cross_site' }])
    for (const type of [
      'application/x-www-form-urlencoded',
      'application/json; charset',
      'application/json; =',
    ]) {
      const other = await browser().call('signIn', {}, '{}', { headers: { 'content-type': type } })
      expect(errorOf(other), type).toEqual([415, { code: 'unsupported_media_type' }])
    }
  })

  test("requests from the console's own pages are not", async () => {
    const ada = browser()
    await ada.signIn('ada')
    await ada.call('updateAccount', {}, {}, { headers: { origin: service.url } })
    expect((await ada.call('signOut', {}, undefined, { headers: { origin: service.url } })).status).toBe(204)
  })
})

test('attempts count per address and per name, whether or not an account has that name', async () => {
  const limited = await startService({
    records: withPasswords,
    env: { SALEPROOF_SIGN_IN_LIMIT: '3/600', TRUST_PROXY: '1' },
  })
  onTestFinished(() => limited.close())
  const from = (address: string, login: string, typed = 'wrong password') =>
    createBrowser(limited.url).call(
      'signIn',
      {},
      { login, password: typed },
      { headers: { 'x-forwarded-for': address } },
    )
  for (const login of ['ada', 'nobody']) {
    const answers = await Promise.all(
      ['192.0.2.1', '192.0.2.2', '192.0.2.3', '192.0.2.4'].map((address) =>
        from(`${login.length}.${address}`.slice(2), login),
      ),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([401, 401, 401, 429])
  }
  const one = await from('198.51.100.1', 'ada', password)
  expect(one.status).toBe(429)
  expect(JSON.parse(one.text).error).toEqual({ code: 'too_many_attempts', retry_after: expect.any(Number) })
  expect(Number(one.headers['retry-after'])).toBeGreaterThan(590)
  const statuses = []
  for (const login of ['a', 'b', 'c', 'bob'])
    statuses.push((await from('198.51.100.2', login, password)).status)
  expect(statuses).toEqual([401, 401, 401, 429])
  for (const _ of [1, 2, 3, 4, 5]) expect((await from('198.51.100.3', 'bob', password)).status).toBe(200)
})

// Which passwords are looked at is decided in the process.
if (!onPostgres)
  describe('more passwords than are checked at once', () => {
    test('a password that was not looked at does not count as tried', async () => {
      // Checking it takes longer than all requests take to arrive, on any machine.
      const slowHash = await hash(password, { memoryCost: 19 * 1024, timeCost: 5, parallelism: 1 })
      const limited = await startService({
        records: records.map((record) =>
          'username' in record ? { ...record, password_hash: slowHash } : record,
        ),
        env: { SALEPROOF_SIGN_IN_LIMIT: '110/600' },
      })
      onTestFinished(() => limited.close())
      const sign = async () =>
        (await createBrowser(limited.url).call('signIn', {}, { login: 'ada', password })).status
      // More at once than are checked: the others get a 503.
      for (const _ of [1, 2]) {
        const statuses = new Set(await Promise.all(Array.from({ length: 100 }, sign)))
        expect([...statuses].sort()).toEqual([200, 503])
      }
      expect(await sign()).toBe(200)
    })

    test('a flood of strangers keeps no browser out that has signed in before', async () => {
      const limited = await startService({ records: withPasswords, env: { SALEPROOF_SIGN_IN_LIMIT: 'off' } })
      onTestFinished(() => limited.close())
      const own = createBrowser(limited.url)
      await own.signIn('ada')
      let over = false
      let refused = 0
      const stranger = async () => {
        while (!over) {
          const { status } = await createBrowser(limited.url).call(
            'signIn',
            {},
            { login: 'ada', password: 'wrong one' },
          )
          if (status === 503) refused++
          await sleep(20)
        }
      }
      const strangers = Array.from({ length: 60 }, stranger)
      await expect.poll(() => refused).toBeGreaterThan(0)
      const statuses = []
      for (const _ of [1, 2, 3, 4, 5])
        statuses.push((await own.call('signIn', {}, { login: 'ada', password })).status)
      over = true
      expect(statuses).toEqual([200, 200, 200, 200, 200])
      await Promise.all(strangers)
    })
  })

test('strangers of the same address use up no attempts of an owner who is signed in', async () => {
  const limited = await startService({ records: withPasswords, env: { SALEPROOF_SIGN_IN_LIMIT: '3/600' } })
  onTestFinished(() => limited.close())
  const own = createBrowser(limited.url)
  await own.signIn('ada')
  const change = (current: string) =>
    own.call('changePassword', {}, { current_password: current, new_password: password })
  for (const login of ['a', 'b', 'c', 'd'])
    await createBrowser(limited.url).call('signIn', {}, { login, password: 'a wrong password' })
  expect((await createBrowser(limited.url).call('signIn', {}, { login: 'ada', password })).status).toBe(429)
  // It is looked at: the new password is the same.
  expect((await change(password)).status).toBe(422)
  const statuses = []
  for (const _ of [1, 2, 3, 4]) statuses.push((await change('a wrong password')).status)
  expect(statuses).toEqual([403, 403, 403, 429])
})

describe('accounts whose hashes were made elsewhere', () => {
  const weaker = { memoryCost: 8 * 1024, timeCost: 1, parallelism: 1 }
  const stronger = { memoryCost: 19 * 1024, timeCost: 8, parallelism: 1 }
  let other: TestService
  beforeAll(async () => {
    const hashes = { ada: await hash(password, weaker), bob: await hash(password, stronger) }
    const owners = Object.entries(hashes)
    other = await startService({
      records: records.map((record) => {
        const [, stored] = owners.find(([name]) => 'username' in record && record.username === name) ?? []
        return stored === undefined ? record : { ...record, password_hash: stored }
      }),
      env: { SALEPROOF_SIGN_IN_LIMIT: 'off' },
    })
  })
  afterAll(() => other.close())

  const hashOf = async (username: string) =>
    (await other.database.prisma.account.findUniqueOrThrow({ where: { username } })).passwordHash

  test('cost a wrong password as much time as names of no account', async () => {
    const [unknown = 0, ...known] = await processorCostsOf(
      ['nobody', 'ada', 'bob'].map(
        (login) => () => createBrowser(other.url).call('signIn', {}, { login, password: 'wrong password' }),
      ),
    )
    for (const each of known) {
      expect(each / unknown).toBeGreaterThan(0.6)
      expect(each / unknown).toBeLessThan(1.6)
    }
  })

  test('get ours when their owner signs in, unless theirs are stronger, and stay signed in elsewhere', async () => {
    const stored = await hashOf('bob')
    await createBrowser(other.url).signIn('bob')
    expect(await hashOf('bob')).toBe(stored)

    const token = await resetLink()
    const account = await other.database.prisma.account.findUniqueOrThrow({ where: { username: 'ada' } })
    const here = createBrowser(other.url)
    const elsewhere = createBrowser(other.url)
    await Promise.all([here.signIn('ada'), elsewhere.signIn('ada')])
    expect(account.passwordHash).toContain('m=8192,t=1')
    expect(await hashOf('ada')).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    await here.ask('getSession', {})
    await elsewhere.ask('getSession', {})
    await createBrowser(other.url).ask('checkResetLink', {}, { token })
    await createBrowser(other.url).signIn('ada')
  })

  /** A link that was made for the hash that is stored now. */
  async function resetLink() {
    const { prisma } = other.database
    const account = await prisma.account.findUniqueOrThrow({ where: { username: 'ada' } })
    const resets = createPasswordResets({ prisma, clock: () => new Date() })
    return other.database.transact((tx) => resets.create(tx, account, new Date(Date.now() + 60_000)))
  }
})

test('wrong passwords of a name are recorded once an hour, and so are those of unknown names', async () => {
  const failures = () => service.database.prisma.auditEntry.count({ where: { action: 'login.failed' } })
  const fail = (login: string) => browser().call('signIn', {}, { login, password: 'wrong password' })
  const before = await failures()
  for (let round = 0; round < 12; round++) {
    await fail('ada')
    await fail(`nobody-${round}`)
  }
  // A sign-in is written after all of them.
  await browser().signIn('bob')
  expect(await failures()).toBe(before + 2)
  time += 3_600_000
  await fail('ada')
  await fail('bob')
  await browser().signIn('bob')
  expect(await failures()).toBe(before + 4)
})

describe('a name whose attempts are used up', () => {
  let limited: TestService
  let now = Date.parse('2026-03-01T12:00:00Z')
  let strangers = 0
  beforeAll(async () => {
    limited = await startService({
      records: withPasswords,
      clock: () => new Date(now),
      env: { SALEPROOF_SIGN_IN_LIMIT: '3/600', TRUST_PROXY: '1' },
    })
  })
  afterAll(() => limited.close())
  beforeEach(() => {
    now += day
  })

  const newcomer = () => createBrowser(limited.url)
  /** From a new address. */
  const sign = async (one: ReturnType<typeof newcomer>, login: string, typed = password, device?: string) =>
    (
      await one.call(
        'signIn',
        {},
        { login, password: typed },
        {
          headers: { 'x-forwarded-for': `203.0.113.${++strangers}` },
          ...(device !== undefined && { device }),
        },
      )
    ).status

  async function lockOut(login: string) {
    for (const _ of [1, 2, 3]) expect(await sign(newcomer(), login, 'wrong password')).toBe(401)
    expect(await sign(newcomer(), login)).toBe(429)
  }

  test('is open to a browser that signed in before, with username or address', async () => {
    const own = newcomer()
    expect(await sign(own, 'ada')).toBe(200)
    await lockOut('ada')
    await lockOut('ada@example.com')
    for (const login of ['ada', 'ada@example.com', 'ada']) expect(await sign(own, login)).toBe(200)
    expect(await sign(newcomer(), 'ada')).toBe(429)
  })

  test('is closed to the browser of another account, and to forged cookies', async () => {
    const others = newcomer()
    expect(await sign(others, 'bob')).toBe(200)
    const own = newcomer()
    expect(await sign(own, 'ada')).toBe(200)
    await lockOut('ada')
    const [given, chance, word, mark] = own.device()!.split('=')[1]!.split('.')
    const [, , otherWord, otherMark] = others.device()!.split('.')
    for (const device of [
      others.device()!,
      `saleproof_device=${Number(given) + 1}.${chance}.${word}.${mark}`,
      `saleproof_device=${given}.${'x'.repeat(22)}.${word}.${mark}`,
      `saleproof_device=${given}.${chance}.${otherWord}.${mark}`,
      `saleproof_device=${given}.${chance}.${word}.${otherMark}`,
      'saleproof_device=',
    ])
      expect(await sign(newcomer(), 'ada', password, device), device).toBe(429)
    // It is the cookie alone that counts.
    expect(await sign(newcomer(), 'ada', password, own.device())).toBe(200)
  })

  test('has a separate limit for each browser', async () => {
    const [own, second] = [newcomer(), newcomer()]
    expect([await sign(own, 'ada'), await sign(second, 'ada')]).toEqual([200, 200])
    for (const _ of [1, 2, 3]) expect(await sign(own, 'ada', 'wrong password')).toBe(401)
    expect(await sign(own, 'ada')).toBe(429)
    expect([await sign(second, 'ada'), await sign(newcomer(), 'ada')]).toEqual([200, 200])
  })

  test('is closed to browsers that used an old password, or that signed in half a year ago', async () => {
    const [own, elsewhere] = [newcomer(), newcomer()]
    expect([await sign(own, 'bob'), await sign(elsewhere, 'bob')]).toEqual([200, 200])
    const { csrf_token: token } = await own.ask('getSession', {})
    const change = { current_password: password, new_password: 'another password' }
    expect((await own.call('changePassword', {}, change, { token })).status).toBe(204)
    await lockOut('bob')
    expect(await sign(elsewhere, 'bob', 'another password')).toBe(429)
    expect(await sign(own, 'bob', 'another password')).toBe(200)
    now += 181 * day
    await lockOut('bob@example.com')
    expect(await sign(own, 'bob@example.com', 'another password')).toBe(429)
  })
})

describe('over TLS the cookie', () => {
  const headers = { 'x-forwarded-proto': 'https', 'x-forwarded-for': '192.0.2.1' }

  async function startBehind(env: Record<string, string>) {
    const secure = await startService({
      records: withPasswords,
      env: { TRUST_PROXY: '1', SALEPROOF_SIGN_IN_LIMIT: 'off', ...env },
    })
    onTestFinished(() => secure.close())
    const [ada, bob] = [createBrowser(secure.url), createBrowser(secure.url)]
    const answer = await ada.call('signIn', {}, { login: 'ada', password }, { headers })
    await bob.call('signIn', {}, { login: 'bob', password }, { headers })
    return { ada, bob, set: [answer.headers['set-cookie']].flat()[0] }
  }

  test('is of this host alone: one that a sibling of the host has planted counts for nothing', async () => {
    const { ada, bob, set } = await startBehind({})
    expect(set).toMatch(
      /^__Host-saleproof_session=[\w-]{43}; path=\/; expires=[^;]+; samesite=strict; secure; httponly$/,
    )
    for (const name of ['saleproof_session', '__Secure-saleproof_session']) {
      const cookie = `${bob.cookie()!.replace('__Host-saleproof_session', name)}; ${ada.cookie()}`
      const { status, text } = await ada.call('getSession', {}, undefined, { headers, cookie })
      expect([status, JSON.parse(text).account?.username]).toEqual([200, 'ada'])
    }
    expect((await ada.call('getSession', {})).status).toBe(401)
  })

  test('is refused below a prefix where there are two of it, and both are cleared', async () => {
    const { ada, bob, set } = await startBehind({ PUBLIC_URL: 'https://market.example.com/shop' })
    expect(set).toMatch(
      /^__Secure-saleproof_session=[\w-]{43}; path=\/shop\/console; expires=[^;]+; samesite=strict; secure; httponly$/,
    )
    const cookie = `${bob.cookie()}; ${ada.cookie()}`
    for (const answer of [
      await ada.call('getSession', {}, undefined, { headers, cookie }),
      await ada.call('signIn', {}, { login: 'ada', password }, { headers, cookie }),
    ]) {
      expect(errorOf(answer)).toEqual([401, { code: 'not_signed_in' }])
      expect(answer.headers['clear-site-data']).toBe('"cookies"')
      expect(answer.headers['set-cookie']).toBeUndefined()
    }
    const alone = await ada.call('getSession', {}, undefined, { headers })
    expect([alone.status, alone.headers['clear-site-data']]).toEqual([200, undefined])
  })
})
