import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { saleproof } from '../support/command.ts'
import { createBrowser, errorOf, password } from '../support/console-client.ts'
import { databaseUrlIn } from '../support/database.ts'
import { startService, type TestService, temporaryFolder } from '../support/harness.ts'
import { records } from '../support/records.ts'

const withPasswords = records.map((record) =>
  (record as { type: string }).type === 'account' ? { ...record, password } : record,
)
const minute = 60_000
const publicUrl = 'https://market.example.com/shop'

let home: Awaited<ReturnType<typeof temporaryFolder>>
let service: TestService
/** The clock of the service runs ahead of that of the commands by this. */
let ahead = 0
beforeAll(async () => {
  home = await temporaryFolder()
  service = await startService({
    records: withPasswords,
    folder: home.folder,
    clock: () => new Date(Date.now() + ahead),
    env: { SALEPROOF_SIGN_IN_LIMIT: 'off' },
  })
})
afterAll(async () => {
  await service.close()
  await home.remove()
})

const browser = () => createBrowser(service.url)

/** Runs a command on the database that the service serves. */
async function run(args: readonly string[], { env = {}, input = '' } = {}) {
  const { folder } = home
  return saleproof(args, { cwd: folder, env: { DATABASE_URL: await databaseUrlIn(folder), ...env }, input })
}

const linkFor = (...args: string[]) =>
  run(['account', 'reset-link', ...args], { env: { PUBLIC_URL: publicUrl } })

async function tokenFor(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await linkFor(...args)
  expect([code, stderr.includes('Error')]).toEqual([0, false])
  return stdout.trim().split('#')[1]!
}

const check = (token: string) => browser().call('checkResetLink', {}, { token })
const reset = (token: string, next: string) =>
  browser().call('resetPassword', {}, { token, new_password: next })
const noLink = [403, { code: 'invalid_reset_link' }]

async function entriesOf(username: string) {
  const { id } = await service.database.prisma.account.findUniqueOrThrow({ where: { username } })
  const entries = await service.database.prisma.auditEntry.findMany({
    where: { subject: id },
    orderBy: { number: 'asc' },
  })
  return entries.map(({ action, actor }) => `${action} by ${actor.replace(id, username)}`)
}

describe('the command', () => {
  test('prints a link below the public address, with the token where no server sees it', async () => {
    const { code, stdout, stderr } = await linkFor('ada')
    expect([code, stdout]).toEqual([
      0,
      expect.stringMatching(/^https:\/\/market\.example\.com\/shop\/console\/reset#[\w-]{43}\n$/),
    ])
    expect(stderr).toMatch(/^this link sets a new password of account ada once, until \d{4}-[^;]+; [^\n]+\n$/)
    const stored = JSON.stringify(await service.database.prisma.resetLink.findMany())
    expect(stored).not.toContain(stdout.trim().split('#')[1])
  })

  test('says what to do where the public address is not configured, and makes no link', async () => {
    const before = await entriesOf('ada')
    const { code, stdout, stderr } = await run(['account', 'reset-link', 'ada'])
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toContain('PUBLIC_URL=https://market.example.com')
    expect(await entriesOf('ada')).toEqual(before)
  })

  test.each([
    [['nobody'], 1, /^there is no account with that name\n$/],
    [['ada', '--expires', '8d'], 2, /unknown option/],
  ])('%j fails', async (args, exit, message) => {
    const { code, stdout, stderr } = await linkFor(...args)
    expect([code, stdout, stderr]).toEqual([exit, '', expect.stringMatching(message)])
  })

  test('is in the help', async () => {
    const { stdout } = await run(['account', '--help'])
    expect(stdout).toMatch(/reset-link <username>/)
  })
})

describe('a link', () => {
  test('sets a new password once, ends every session, and signs in', async () => {
    const elsewhere = browser()
    await elsewhere.signIn('ada')
    const token = await tokenFor('ada')
    expect(JSON.parse((await check(token)).text)).toEqual({ username: 'ada' })
    const here = browser()
    const session = await here.ask('resetPassword', {}, { token, new_password: 'a new password' })
    expect(session).toMatchObject({ account: { username: 'ada' }, csrf_token: expect.any(String) })
    expect((await here.ask('getSession', {})).csrf_token).toBe(session.csrf_token)
    expect(errorOf(await elsewhere.call('getSession', {}))).toEqual([401, { code: 'not_signed_in' }])

    expect(errorOf(await check(token))).toEqual(noLink)
    expect(errorOf(await reset(token, 'another password'))).toEqual(noLink)
    const withOld = await browser().call('signIn', {}, { login: 'ada', password })
    expect(errorOf(withOld)).toEqual([401, { code: 'wrong_credentials' }])
    // Recorded beside the response.
    await expect.poll(async () => (await entriesOf('ada')).at(-1)).toBe('login.failed by console:ada')
    await browser().signIn('ada', 'a new password')
    expect((await entriesOf('ada')).slice(-5)).toEqual([
      'reset_link.created by cli',
      'password.reset by console:ada',
      'login by console:ada',
      'login.failed by console:ada',
      'login by console:ada',
    ])
  })

  test('sets the password of one of many that try at once', async () => {
    const token = await tokenFor('ada')
    const answers = await Promise.all(
      [1, 2, 3, 4].map((number) => reset(token, `the new password ${number}`)),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 403, 403, 403])
    const winner = answers.findIndex(({ status }) => status === 200) + 1
    await browser().signIn('ada', `the new password ${winner}`)
  })

  test('gives an account that had none its first password', async () => {
    await run(['account', 'create', '--username', 'zoe', '--email', 'zoe@example.com', '--no-password'])
    expect((await reset(await tokenFor('zoe'), 'the first password')).status).toBe(200)
    await browser().signIn('zoe', 'the first password')
  })

  test('keeps working after a password that is too short', async () => {
    const token = await tokenFor('ada')
    expect(errorOf(await reset(token, 'short'))).toEqual([
      422,
      { code: 'invalid', fields: { new_password: 'password' } },
    ])
    expect((await check(token)).status).toBe(200)
  })

  test('expires after an hour', async () => {
    const token = await tokenFor('ada')
    ahead = 59 * minute
    expect((await check(token)).status).toBe(200)
    ahead = 61 * minute
    expect(errorOf(await check(token))).toEqual(noLink)
    expect(errorOf(await reset(token, 'a new password'))).toEqual(noLink)
    ahead = 0
  })

  test('ends with a newer link, and with a new password from wherever', async () => {
    const [first, second] = [await tokenFor('bob'), await tokenFor('bob')]
    expect(errorOf(await check(first))).toEqual(noLink)
    expect((await check(second)).status).toBe(200)

    const bob = browser()
    await bob.signIn('bob')
    await bob.ask('changePassword', {}, { current_password: password, new_password: 'by the console' })
    expect(errorOf(await check(second))).toEqual(noLink)

    const third = await tokenFor('bob')
    await run(['account', 'password', 'bob'], { input: 'by a command' })
    expect(errorOf(await reset(third, 'by the old link'))).toEqual(noLink)

    const fourth = await tokenFor('bob')
    const record = withPasswords.find((one) => (one as { username?: string }).username === 'bob')!
    await service.load([{ ...record, password }])
    expect(errorOf(await reset(fourth, 'by the old link'))).toEqual(noLink)
    await bob.signIn('bob')
  })

  test('ends with its account', async () => {
    await run(['account', 'create', '--username', 'gone', '--email', 'gone@example.com', '--no-password'])
    await run(['workspace', 'create', '--owner', 'gone', '--slug', 'gone', '--name', 'Gone'])
    const token = await tokenFor('gone')
    await run(['account', 'remove', 'gone'])
    expect(errorOf(await reset(token, 'a new password'))).toEqual(noLink)
  })

  test.each(['', 'x', 'x'.repeat(43), '\u0000', `${'x'.repeat(1024)}`])('is not %j', async (token) => {
    expect(errorOf(await check(token))).toEqual(noLink)
    expect(errorOf(await reset(token, 'a new password'))).toEqual(noLink)
  })

  test('is used by the pages of the console only', async () => {
    const answer = await browser().call(
      'resetPassword',
      {},
      { token: await tokenFor('ada'), new_password: 'a new password' },
      { headers: { 'sec-fetch-site': 'cross-site' } },
    )
    expect(errorOf(answer)).toEqual([403, { code: 'cross_site' }])
  })
})

test('guessed links are limited like passwords, and links that work do not count', async () => {
  const limited = await startService({
    folder: home.folder,
    env: { SALEPROOF_SIGN_IN_LIMIT: '3/600', TRUST_PROXY: '1' },
  })
  const from = async (address: string, token: string) => {
    const headers = { 'x-forwarded-for': address }
    return createBrowser(limited.url).call('checkResetLink', {}, { token }, { headers })
  }
  try {
    const token = await tokenFor('ada')
    for (const _ of [1, 2, 3, 4, 5]) expect((await from('192.0.2.1', token)).status).toBe(200)
    for (const _ of [1, 2, 3]) expect((await from('192.0.2.2', 'guessed')).status).toBe(403)
    expect(errorOf(await from('192.0.2.2', token))).toEqual([
      429,
      { code: 'too_many_attempts', retry_after: expect.any(Number) },
    ])
    expect((await from('192.0.2.1', token)).status).toBe(200)
  } finally {
    await limited.close()
  }
})

test('no token and no password is logged', () => {
  expect(service.logs.join('\n')).not.toMatch(/a new password|by the console|#[\w-]{43}/)
})
