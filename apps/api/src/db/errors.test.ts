import { closeSync, openSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import Sqlite from 'better-sqlite3'
import { describe, expect, onTestFinished, test } from 'vitest'
import { migrations, temporaryFolder } from '../../test/support/folders.ts'
import { openTestPrisma } from '../../test/support/open-prisma.ts'
import {
  DatabaseError,
  type DatabaseErrorKind,
  databaseErrors,
  errorMetric,
  fromMessage,
  fromSystem,
  readErrorCode,
  toMessage,
} from './errors.ts'
import { fromPrisma, type Prisma } from './prisma.ts'
import { withSqlite } from './sqlite/connection.ts'
import { createSqliteMigrator } from './sqlite/migrate.ts'

const row = { id: 1, identity: 'x', secretCheck: 'x', createdAt: new Date() }
const big = { ...row, identity: 'x'.repeat(500_000) }
const insert = `INSERT INTO Deployment (id, identity, secretCheck, createdAt) VALUES (1, 'x', 'x', 'x')`

async function migrated() {
  const { folder, remove } = await temporaryFolder()
  onTestFinished(remove)
  const file = join(folder, 'test.db')
  await createSqliteMigrator({ databaseFile: file, migrations, clock: () => new Date() }).apply()
  return file
}

const open = async (file: string) => (await openTestPrisma(file, 50)).prisma

/** A file that another connection is writing to. */
async function locked() {
  const file = await migrated()
  const writer = new Sqlite(file)
  onTestFinished(() => void writer.close())
  writer.exec('BEGIN IMMEDIATE')
  return { file, writer }
}

async function damaged() {
  const file = await migrated()
  const descriptor = openSync(file, 'r+')
  writeSync(descriptor, Buffer.alloc(20_000, 0xff), 0, 20_000, 4096)
  closeSync(descriptor)
  return file
}

async function another(content: string | undefined) {
  const file = join(await migrated(), '../another.db')
  if (content !== undefined) writeFileSync(file, content)
  return file
}

async function notMigrated() {
  const file = await another(undefined)
  new Sqlite(file).close()
  return file
}

async function limited() {
  const opened = await openTestPrisma(await migrated(), 50)
  await opened.prisma.$queryRawUnsafe('PRAGMA max_page_count = 1')
  return opened
}

async function readOnly() {
  const prisma = await open(await migrated())
  await prisma.$queryRawUnsafe('PRAGMA query_only = 1')
  return prisma
}

/** Each makes the database fail for real. */
const failures: Record<string, [DatabaseErrorKind, () => Promise<unknown>]> = {
  'locked by a writer: Prisma': [
    'busy',
    async () => (await open((await locked()).file)).deployment.create({ data: row }),
  ],
  'locked by a writer: the driver': [
    'busy',
    async () => withSqlite((await locked()).file, (connection) => connection.exec(insert), { timeoutMs: 0 }),
  ],
  'locked while it is opened': [
    'busy',
    async () => {
      const file = await migrated()
      const other = new Sqlite(file)
      onTestFinished(() => void other.close())
      other.pragma('journal_mode = DELETE')
      other.exec('BEGIN EXCLUSIVE')
      return (await open(file)).deployment.count()
    },
  ],
  'damaged: Prisma': ['damaged', async () => (await open(await damaged())).deployment.findMany()],
  'damaged: the driver': [
    'damaged',
    async () =>
      withSqlite(await damaged(), (connection) => connection.prepare('SELECT * FROM Account').all()),
  ],
  'not a database: Prisma': [
    'not_a_database',
    async () => (await open(await another('not a database '.repeat(1000)))).deployment.count(),
  ],
  'not a database: the driver': [
    'not_a_database',
    async () =>
      withSqlite(await another('not a database '.repeat(1000)), (connection) =>
        connection.pragma('user_version'),
      ),
  ],
  gone: ['cannot_open', async () => open(await another(undefined))],
  'not migrated: Prisma': ['other', async () => (await open(await notMigrated())).deployment.count()],
  'not migrated: the driver': [
    'other',
    async () => withSqlite(await notMigrated(), (connection) => connection.prepare('SELECT * FROM Account')),
  ],
  full: ['full', async () => (await limited()).prisma.deployment.create({ data: big })],
  'full, in a transaction': [
    'full',
    async () => (await limited()).transact(async (tx) => tx.deployment.create({ data: big })),
  ],
  'read-only: Prisma': ['not_writable', async () => (await readOnly()).deployment.create({ data: row })],
  'read-only: the driver': [
    'not_writable',
    async () => withSqlite(await migrated(), (connection) => connection.exec(insert), { readonly: true }),
  ],
  'a transaction that is too slow': [
    'timeout',
    async () =>
      (await openTestPrisma(await migrated(), 50, 1)).transact(async (tx) => {
        await tx.deployment.count()
        await sleep(20)
        return tx.deployment.count()
      }),
  ],
  'a row that is there': [
    'conflict',
    async () => {
      const prisma = await open(await migrated())
      await prisma.deployment.create({ data: row })
      return prisma.deployment.create({ data: row })
    },
  ],
  'a row that is not there': [
    'other',
    async () => (await open(await migrated())).deployment.update({ where: { id: 7 }, data: row }),
  ],
}

describe('an error of the database has its kind', () => {
  test.each(Object.entries(failures))('%s', async (_, [kind, fail]) => {
    const error = await fail().then(
      () => undefined,
      (reason: unknown) => reason,
    )
    expect(error).toBeInstanceOf(DatabaseError)
    expect(error).toMatchObject({ kind, message: expect.stringContaining(databaseErrors[kind].text) })
  })
})

test('waiting for a lock is over in time, and the next write succeeds', async () => {
  const { file, writer } = await locked()
  const prisma = await open(file)
  const start = performance.now()
  await expect(prisma.deployment.create({ data: row })).rejects.toMatchObject({ kind: 'busy' })
  expect(performance.now() - start).toBeLessThan(4500)
  writer.exec('ROLLBACK')
  await expect(prisma.deployment.create({ data: row })).resolves.toMatchObject({ id: 1 })
})

test('a full disk does not stop later transactions', async () => {
  const { transact } = await limited()
  const fill = transact(async (tx) => tx.deployment.create({ data: big }))
  await expect(fill).rejects.toMatchObject({ kind: 'full' })
  const count = (client: Pick<Prisma, 'deployment'>) => client.deployment.count()
  expect(await transact(async (tx) => count(tx))).toBe(0)
})

test.each([
  ['EACCES', 'cannot_open'],
  ['EROFS', 'not_writable'],
  ['ENOSPC', 'full'],
  ['EIO', 'io'],
  ['EMFILE', 'no_resources'],
  ['ERR_WORKER_OUT_OF_MEMORY', 'no_resources'],
])('a file that cannot be created or read, or a thread that cannot run: %s', (code, kind) => {
  const error = fromSystem(Object.assign(new Error(), { code }))
  expect(error).toMatchObject({ name: 'DatabaseError', kind, reason: code })
})

describe('other errors stay what they are', () => {
  test('a call of Prisma that is wrong in itself', async () => {
    const prisma = await open(await migrated())
    const error = await prisma.deployment.create({ data: { nope: 1 } as never }).catch((reason) => reason)
    expect(error).toBeInstanceOf(Error)
    expect(error).not.toBeInstanceOf(DatabaseError)
  })

  test.each([
    new Error('SQLITE_BUSY'),
    Object.assign(new Error(), { code: 'ENOENT' }),
    new TypeError('other'),
    null,
    undefined,
    'PrismaClientKnownRequestError',
    { code: 'P2002' },
    { code: 1 },
  ])('%s', (thrown) => {
    expect(fromSystem(thrown)).toBe(thrown)
    expect(fromPrisma(thrown)).toBe(thrown)
    expect(errorMetric(thrown)).toBe('other')
  })
})

test('an error goes from thread to thread as it is, and says its code and no cause', () => {
  const error = new DatabaseError('full', 'SQLITE_FULL', new Error('canary'))
  expect(error.message).toMatch(/^the disk is full: make room .* \(SQLITE_FULL\)$/)
  expect(readErrorCode(error)).toBe('SQLITE_FULL')
  const other = fromMessage(structuredClone(toMessage(error)))
  expect(other).toBeInstanceOf(DatabaseError)
  expect(other).toMatchObject({
    kind: 'full',
    reason: 'SQLITE_FULL',
    message: error.message,
    cause: undefined,
  })
  expect(fromMessage(toMessage(new TypeError('text')))).not.toBeInstanceOf(DatabaseError)
})
