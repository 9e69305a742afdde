import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { verify } from '@node-rs/argon2'
import { operations } from '@saleproof/schema'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readPassword } from '../../src/commands/password.ts'
import type { Terminal } from '../../src/commands/terminal.ts'
import { send } from '../support/client.ts'
import { saleproof, serve } from '../support/command.ts'
import { changeIn, onPostgres, rowsIn } from '../support/database.ts'
import { ndjson, temporaryFolder } from '../support/harness.ts'
import { codes, records, secretKey } from '../support/records.ts'

let home: Awaited<ReturnType<typeof temporaryFolder>>
let service: Awaited<ReturnType<typeof serve>>
beforeAll(async () => {
  home = await temporaryFolder()
  expect((await withInput(ndjson(records), 'import', '-')).code).toBe(0)
  service = await serve({ cwd: home.folder })
})
afterAll(async () => {
  await service.stop()
  await home.remove()
})

const withInput = (input: string, ...args: string[]) => saleproof(args, { cwd: home.folder, input })
const run = (...args: string[]) => withInput('', ...args)

async function accountRow(username: string) {
  const [row] = await rowsIn(home.folder, 'SELECT * FROM "Account" WHERE "username" = $1', username)
  return row as Record<string, string | null> | undefined
}

/** Everything that the database keeps on its disk. */
async function bytesOnDisk(): Promise<Record<string, Buffer>> {
  if (!onPostgres) {
    const folder = join(home.folder, 'data')
    return Object.fromEntries(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name))]))
  }
  await changeIn(home, 'CHECKPOINT')
  const [row] = await rowsIn(
    home.folder,
    `SELECT encode(pg_read_binary_file(pg_relation_filepath('"Account"')), 'hex') AS "Account"`,
  )
  return { Account: Buffer.from(row!.Account as string, 'hex') }
}

async function detailsOf(key: string) {
  const { text } = await send(service.url, {
    path: operations.getAccount.path,
    headers: { 'x-api-key': key },
  })
  return JSON.parse(text).data
}

async function newKey(owner: string, slug: string) {
  expect((await run('workspace', 'create', '--owner', owner, '--slug', slug, '--name', slug)).code).toBe(0)
  return (await run('key', 'create', '--workspace', slug)).stdout.trim()
}

test('with a username and an address an account is whole: the rest is empty', async () => {
  const made = await withInput(
    'a long password\n',
    'account',
    'create',
    '--username',
    'eve',
    '--email',
    'eve@example.com',
  )
  expect([made.code, made.stdout]).toEqual([0, ''])
  expect(await detailsOf(await newKey('eve', 'eve-one'))).toEqual({
    name: { firstname: '', lastname: '', full_name: '' },
    username: 'eve',
    email: 'eve@example.com',
    balance: 0,
    currency: 'USD',
    profile: {
      heading: '',
      description: '',
      contact: { email: '' },
      social_links: {},
      media: { avatar: '', cover: '' },
    },
    registered_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
  })
  expect(await verify((await accountRow('eve'))!.passwordHash!, 'a long password')).toBe(true)
  const again = await withInput(
    'a long password\n',
    'account',
    'create',
    '--username',
    'eve',
    '--email',
    'e@example.com',
  )
  expect([again.code, again.stderr]).toEqual([
    1,
    expect.stringMatching(/^account eve already exists[^\n]+\n$/),
  ])
})

test.each([
  ['mallory', 'EVE@example.com'],
  ['eve@example.com', 'mallory@example.com'],
])('what another account signs in with is refused: %s, %s', async (username, email) => {
  const made = await run('account', 'create', '--username', username, '--email', email, '--no-password')
  expect(made.code).toBe(1)
  expect(await accountRow(username)).toBeUndefined()
})

test('an account may have no password', async () => {
  const args = ['--username', 'zoé', '--email', 'zoe@example.com', '--no-password']
  const made = await run('account', 'create', ...args)
  expect([made.code, made.stdout]).toEqual([0, ''])
  expect((await accountRow('zoé'))!.passwordHash).toBeNull()
})

test.each([
  [['--username', 'a b'], 'username'],
  [['--email', 'canary-of-a-person'], 'email'],
])('an account with %j is wrong usage, and what was given is not repeated', async (options, name) => {
  const args = ['--username', 'bad', '--email', 'bad@example.com', ...options, '--no-password']
  const { code, stdout, stderr } = await run('account', 'create', ...args)
  expect([code, stdout]).toEqual([2, ''])
  expect(stderr).toMatch(new RegExp(`^${name} (must|has) [^\\n]+\\n$`))
  expect(stderr).not.toContain('canary')
  expect(await accountRow('bad')).toBeUndefined()
})

test('a password is set from standard input, and one that is too short is not', async () => {
  expect(await withInput('another password', 'account', 'password', 'bob')).toMatchObject({
    code: 0,
    stdout: '',
  })
  const hash = (await accountRow('bob'))!.passwordHash!
  expect(await verify(hash, 'another password')).toBe(true)
  for (const [input, username, exit] of [
    ['canary\n', 'bob', 2],
    ['', 'bob', 2],
    ['long enough', 'nobody', 1],
  ] as const) {
    const { code, stderr } = await withInput(input, 'account', 'password', username)
    expect([code, stderr]).toEqual([exit, expect.stringMatching(/^[^\n]+\n$/)])
    expect(stderr).not.toContain('canary')
  }
  expect((await accountRow('bob'))!.passwordHash).toBe(hash)
  const inArguments = await run('account', 'password', 'bob', 'a password')
  expect(inArguments.code).toBe(2)
})

test('an account without workspaces is gone when it is removed', async () => {
  await run('account', 'create', '--username', 'gone', '--email', 'gone@example.com', '--no-password')
  expect(await run('account', 'remove', 'gone')).toMatchObject({ code: 0 })
  expect(await accountRow('gone')).toBeUndefined()
  expect((await run('account', 'remove', 'gone')).code).toBe(1)
})

test('an owner is erased to the last byte, and what was sold goes on validating', async () => {
  const canary = 'canary-of-ada'
  const personal = {
    ...(records[0] as object),
    email: `${canary}@example.com`,
    name: { firstname: canary, lastname: canary, full_name: `${canary} of all` },
    profile: {
      heading: canary,
      description: canary.repeat(500),
      contact: { email: `${canary}@example.com` },
      social_links: { x: `https://x.com/${canary}` },
      media: { avatar: `https://a.example/${canary}`, cover: `https://a.example/${canary}` },
    },
    password: 'a long password',
  }
  expect(await withInput(ndjson([personal]), 'import', '-')).toMatchObject({ code: 0 })
  expect((await detailsOf(secretKey)).name.firstname).toBe(canary)
  const { code, stderr } = await run('account', 'remove', 'ada')
  expect(code).toBe(0)
  const left = /owned by (removed-\w{16})\n/.exec(stderr)![1]!

  expect(await detailsOf(secretKey)).toMatchObject({
    name: { firstname: '', lastname: '', full_name: '' },
    username: left,
    email: '',
    balance: -1250.5,
    profile: { contact: { email: '' }, social_links: {} },
  })
  expect((await accountRow(left))!.passwordHash).toBeNull()
  const sold = await send(service.url, {
    method: 'POST',
    path: operations.validatePurchase.path,
    headers: { 'x-api-key': secretKey, 'content-type': 'application/json' },
    body: JSON.stringify({ purchase_code: codes.active }),
  })
  expect(sold.status).toBe(200)
  const files = Object.entries(await bytesOnDisk())
  expect(files.some(([, bytes]) => bytes.includes(left))).toBe(true)
  for (const [name, bytes] of files) expect([name, bytes.includes(canary)]).toEqual([name, false])
  const exported = await run('export')
  expect((await withInput(exported.stdout, 'import', '-')).stderr).not.toMatch(/[1-9]\d* (created|updated)/)
})

/** A terminal and the keys that a user types. */
function typing(...keys: string[]) {
  const written: string[] = []
  const modes: boolean[] = []
  const stdin = Readable.from(keys.map((key) => Buffer.from(key)))
  const terminal = {
    stdin: Object.assign(stdin, { isTTY: true, setRawMode: (raw: boolean) => modes.push(raw) }),
    stderr: { write: (text: string) => written.push(text) > 0 },
  } as unknown as Terminal
  return { password: readPassword(terminal), modes, shown: () => written.join('') }
}

test.each([
  ['a plain one', ['secret\r', 'secret\r']],
  ['key by key', [...'secret\nsecret\n']],
  ['pasted at once', ['secret\nsecret\n']],
  ['with a slip', ['secrex\x7ft\r', 'oh no\x15secret\r']],
])('a password is typed twice and not shown: %s', async (_, keys) => {
  const { password, modes, shown } = typing(...keys)
  expect(await password).toBe('secret')
  expect(modes).toEqual([true, false])
  expect(shown()).toBe('Password: \nRepeat the password: \n')
})

test.each([
  ['an interrupt', ['secret\x03']],
  ['an end', ['secret\r']],
  ['two that differ', ['secret\r', 'Secret\r']],
])('%s at the prompt changes nothing and restores the terminal mode', async (_, keys) => {
  const { password, modes } = typing(...keys)
  await expect(password).rejects.toMatchObject({ name: 'CommandError', exitCode: 1 })
  expect(modes).toEqual([true, false])
})
