import { copyFileSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { operations } from '@saleproof/schema'
import Sqlite from 'better-sqlite3'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { saleproof, serve } from '../support/command.ts'
import { ndjson, temporaryFolder } from '../support/harness.ts'
import { spawnServe } from '../support/process.ts'
import { codes, records, secretKey } from '../support/records.ts'

let home: Awaited<ReturnType<typeof temporaryFolder>>
beforeEach(async () => {
  home = await temporaryFolder()
})
afterEach(() => home.remove())

const databaseIn = (folder: string) => join(folder, 'data/saleproof.db')
const run = (folder: string, ...args: string[]) => saleproof(args, { cwd: folder })

/** A command that has to be done. */
async function done(folder: string, ...args: string[]) {
  const result = await run(folder, ...args)
  expect([result.code, result.stdout], result.stderr).toEqual([0, ''])
  return result
}

/** A command that is refused with one line. */
async function refused(folder: string, ...args: string[]) {
  const result = await run(folder, ...args)
  expect([result.code, result.stdout], result.stderr).toEqual([1, ''])
  expect(result.stderr).toMatch(/^[^\n]+\n$/)
  return result.stderr
}

async function load(folder: string, more: readonly object[]) {
  const { code, stderr } = await saleproof(['import', '-'], { cwd: folder, input: ndjson(more) })
  expect(code, stderr).toBe(0)
}

const sale = (purchase_code: string) => ({ ...(records.at(-1) as object), item: 101, purchase_code })

/** A folder with the secret of another one, and nothing else. */
function newMachine(name: string) {
  const folder = join(home.folder, name)
  mkdirSync(join(folder, 'data'), { recursive: true })
  copyFileSync(`${databaseIn(home.folder)}.secret`, `${databaseIn(folder)}.secret`)
  return folder
}

const sql = <T>(folder: string, query: string): T[] => {
  const database = new Sqlite(databaseIn(folder), { fileMustExist: true })
  try {
    return database.prepare<[], T>(query).all()
  } finally {
    database.close()
  }
}
const identityIn = (folder: string) =>
  sql<{ identity: string }>(folder, 'SELECT identity FROM Deployment')[0]!.identity

async function validate(url: string, purchase_code: string): Promise<string> {
  const answer = await fetch(`${url}${operations.validatePurchase.path}`, {
    method: 'POST',
    headers: { 'x-api-key': secretKey, 'content-type': 'application/json' },
    body: JSON.stringify({ purchase_code }),
  })
  return `${answer.status} ${await answer.text()}`
}

test('a restore brings back when keys were used, and renews the identity', async () => {
  const { folder } = home
  await load(folder, records)
  const service = await serve({ cwd: folder })
  expect(await validate(service.url, codes.active)).toMatch(/^200 /)
  await service.stop()
  await done(folder, 'backup', 'copy.backup')
  const elsewhere = newMachine('elsewhere')
  await done(elsewhere, 'restore', join(folder, 'copy.backup'))
  const keysOf = async (place: string) => (await run(place, 'key', 'list', '--json')).stdout
  expect(await keysOf(elsewhere)).toBe(await keysOf(folder))
  expect(
    JSON.parse(await keysOf(elsewhere)).filter((key: { last_used: unknown }) => key.last_used),
  ).toHaveLength(1)
  expect(identityIn(elsewhere)).toMatch(/^\w{16}$/)
  expect(identityIn(elsewhere)).not.toBe(identityIn(folder))
  for (const name of readdirSync(join(elsewhere, 'data')))
    expect([name, statSync(join(elsewhere, 'data', name)).mode & 0o077]).toEqual([name, 0])
})

test('while the database is used nothing is restored, however it is served', async () => {
  const { folder } = home
  await load(folder, records)
  await done(folder, 'backup', 'copy.backup')
  for (const env of [{ WEB_CONCURRENCY: '1', SALEPROOF_FAST_PATH: 'off' }, { WEB_CONCURRENCY: '2' }]) {
    const service = await spawnServe({ cwd: folder, env })
    for (const force of [[], ['--force']])
      expect(await refused(folder, 'restore', 'copy.backup', ...force)).toContain('is in use')
    expect(await validate(service.url, codes.active)).toMatch(/^200 /)
    service.signal('SIGTERM')
    await service.done
  }
  const killed = await spawnServe({ cwd: folder })
  killed.signal('SIGKILL')
  await killed.done
  await done(folder, 'restore', 'copy.backup')
  // Another program holds no lock of ours.
  const other = new Sqlite(databaseIn(folder))
  other.prepare('SELECT 1 FROM Account').get()
  expect(await refused(folder, 'restore', 'copy.backup')).toContain('open in another program')
  other.close()
})

test('newer data is replaced only when that is asked for, and is kept', async () => {
  const { folder } = home
  await load(folder, records)
  await done(folder, 'backup', 'copy.backup')
  await load(folder, [sale('sold-after-the-backup')])
  const before = (await run(folder, 'export')).stdout
  expect(await refused(folder, 'restore', 'copy.backup')).toMatch(/holds changes .* --force/)
  expect((await run(folder, 'export')).stdout).toBe(before)

  const { stderr } = await done(folder, 'restore', 'copy.backup', '--force')
  expect((await run(folder, 'export')).stdout).not.toContain('sold-after-the-backup')
  const kept = /the replaced database is in (\S+)\n/.exec(stderr)![1]!
  expect(await refused(folder, 'restore', kept)).toContain('is no backup')
  await done(folder, 'restore', kept, '--plain', '--force')
  expect((await run(folder, 'export')).stdout).toBe(before)
})

test('an id of a workspace is not used again after a restore', async () => {
  const { folder } = home
  await load(folder, records)
  await done(folder, 'backup', 'copy.backup')
  const create = async (slug: string) => {
    await done(folder, 'workspace', 'create', '--owner', 'ada', '--slug', slug, '--name', slug)
    const database = new Sqlite(databaseIn(folder), { readonly: true })
    const id = database.prepare<[string], number>('SELECT id FROM Workspace WHERE slug = ?').pluck().get(slug)
    database.close()
    return id!
  }
  const lost = await create('lost')
  await done(folder, 'restore', 'copy.backup', '--force')
  expect(await create('next')).toBe(lost + 1)
})

test.each([
  ['an account', ['account', 'create', '--username', 'eve', '--email', 'e@example.com', '--no-password']],
  ['a removed item', ['item', 'remove', '102', '--with-purchases']],
  ['an erased account', ['account', 'remove', 'bob']],
])('%s is newer data', async (_, command) => {
  const { folder } = home
  await load(folder, records)
  await done(folder, 'backup', 'copy.backup')
  await done(folder, ...command)
  expect(await refused(folder, 'restore', 'copy.backup')).toContain('holds changes')
})

test('sessions and reset links of the console are not data, and a restore ends them', async () => {
  const { folder } = home
  await load(folder, records)
  const signIn = (token: string) =>
    sql(
      folder,
      `INSERT INTO Session (tokenHash, accountId, passwordFingerprint, createdAt, lastSeenAt)
       SELECT '${token}', id, '', 0, 0 FROM Account WHERE username = 'ada' RETURNING tokenHash`,
    )
  signIn('before')
  sql(
    folder,
    `INSERT INTO ResetLink (accountId, tokenHash, passwordFingerprint, createdAt, expiresAt)
     SELECT id, 'unused', '', 0, 0 FROM Account WHERE username = 'ada' RETURNING tokenHash`,
  )
  await done(folder, 'backup', 'copy.backup')
  signIn('after')
  await done(folder, 'restore', 'copy.backup')
  expect(sql(folder, 'SELECT 1 FROM Session UNION ALL SELECT 1 FROM ResetLink')).toEqual([])
  expect(sql(folder, 'SELECT 1 FROM Account')).toHaveLength(2)
})

test('over a database that it holds all of it is restored unasked', async () => {
  const { folder } = home
  await load(folder, records)
  const older = newMachine('older')
  await done(folder, 'backup', 'first.backup')
  copyFileSync(databaseIn(folder), databaseIn(older))
  await load(folder, [sale('sold-later')])
  await done(folder, 'backup', 'second.backup')
  await done(folder, 'restore', 'second.backup')
  await done(older, 'restore', join(folder, 'second.backup'))
  expect((await run(older, 'export')).stdout).toBe((await run(folder, 'export')).stdout)
  // The identity is another one now: nothing says which is newer.
  for (const backup of ['first.backup', 'second.backup'])
    expect(await refused(older, 'restore', join(folder, backup))).toContain('cannot be compared')
})

test('a backup of another secret is refused, one without a secret at hand is restored with a warning', async () => {
  const { folder } = home
  await load(folder, records)
  await done(folder, 'backup', 'copy.backup')
  const other = newMachine('other')
  writeFileSync(`${databaseIn(other)}.secret`, `${'x'.repeat(40)}\n`)
  const source = join(folder, 'copy.backup')
  expect(await refused(other, 'restore', source)).toMatch(/saleproof\.db\.secret is not the one/)
  const env = { SALEPROOF_SECRET: 'y'.repeat(40) }
  const given = await saleproof(['restore', source, '--force'], { cwd: other, env })
  expect([given.code, given.stderr]).toEqual([1, expect.stringMatching(/^SALEPROOF_SECRET is not the one/)])
  expect(given.stderr).not.toContain('yyyy')
  expect(readdirSync(join(other, 'data')).filter((name) => !/\.(secret|lock)$/.test(name))).toEqual([])

  const bare = join(home.folder, 'bare')
  mkdirSync(bare)
  expect((await done(bare, 'restore', source)).stderr).toMatch(/warning: the secret of the backup is missing/)
  const { code, stderr } = await run(bare, 'key', 'list')
  expect([code, stderr]).toEqual([1, expect.stringContaining('is missing')])
})

test('a database that cannot be read is replaced only when that is asked for, and kept with its log', async () => {
  const { folder } = home
  await load(folder, records)
  await done(folder, 'backup', 'copy.backup')
  writeFileSync(databaseIn(folder), 'not a database at all'.repeat(1000))
  writeFileSync(`${databaseIn(folder)}-wal`, 'a log')
  expect(await refused(folder, 'restore', 'copy.backup')).toMatch(/cannot be compared .* --force/)
  await done(folder, 'restore', 'copy.backup', '--force')
  const kept = readdirSync(join(folder, 'data')).filter((name) => name.includes('.before-restore-'))
  expect(kept.map((name) => name.replace(/\d{17}/, '')).sort()).toContain('saleproof.db.before-restore-')
  expect((await run(folder, 'key', 'list')).code).toBe(0)
})

test('what cannot be backed up or restored is one line', async () => {
  const { folder } = home
  expect(await refused(folder, 'backup', 'copy.backup')).toContain('there is no database')
  expect(readdirSync(folder)).toEqual([])
  await load(folder, records)
  await done(folder, 'backup', 'copy.backup')
  const bytes = readFileSync(join(folder, 'copy.backup'))
  expect(await refused(folder, 'backup', 'copy.backup')).toContain('there is a file')
  expect(readFileSync(join(folder, 'copy.backup')).equals(bytes)).toBe(true)
  expect(await refused(folder, 'backup', 'no/such/folder/copy')).toContain('folder')
  expect(await refused(folder, 'restore', 'no-such-file')).toContain('no such file')
  expect(await refused(folder, 'restore', '.')).toContain('directory')
  for (const [name, tables] of [
    ['other.db', ['Something']],
    ['of-prisma.db', ['_prisma_migrations', 'Account']],
  ] as const) {
    const other = new Sqlite(join(folder, name))
    for (const table of tables) other.exec(`CREATE TABLE ${table} (id INTEGER)`)
    other.close()
    const env = { DATABASE_URL: `file:${name}` }
    const over = await saleproof(['restore', 'copy.backup'], { cwd: folder, env })
    expect([over.code, over.stderr]).toEqual([1, expect.stringContaining('cannot be compared')])
  }
  expect(await refused(folder, 'restore', 'other.db', '--plain')).toContain('not Saleproof’s')
  expect(await run(folder, 'restore')).toMatchObject({ code: 2, stdout: '' })
})
