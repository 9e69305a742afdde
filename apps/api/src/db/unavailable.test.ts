import { closeSync, openSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { describe, expect, onTestFinished, test } from 'vitest'
import { migrations, temporaryFolder } from '../../test/support/folders.ts'
import type { Prisma } from './prisma.ts'
import { createMigrator } from './sqlite/migrate.ts'
import { openPrisma } from './sqlite/prisma.ts'
import { isUnavailable } from './unavailable.ts'

const row = { id: 1, identity: 'x', secretCheck: 'x', createdAt: new Date() }

async function migrated() {
  const { folder, remove } = await temporaryFolder()
  onTestFinished(remove)
  const file = join(folder, 'test.db')
  createMigrator({ file, folder: migrations, clock: () => new Date() }).apply()
  return file
}

async function open(file: string) {
  const { prisma, close } = await openPrisma({ file, busyTimeoutMs: 50 })
  onTestFinished(close)
  return prisma
}

/** Each does what makes the database fail for real, and gives the error. */
const failures: Record<string, () => Promise<unknown>> = {
  async 'locked by a writer'() {
    const file = await migrated()
    const writer = new Sqlite(file)
    onTestFinished(() => void writer.close())
    writer.exec('BEGIN IMMEDIATE')
    return (await open(file)).deployment.create({ data: row })
  },
  async 'locked while it is opened'() {
    const file = await migrated()
    const other = new Sqlite(file)
    onTestFinished(() => void other.close())
    other.pragma('journal_mode = DELETE')
    other.exec('BEGIN EXCLUSIVE')
    return open(file)
  },
  async damaged() {
    const file = await migrated()
    const descriptor = openSync(file, 'r+')
    writeSync(descriptor, Buffer.alloc(20_000, 0xff), 0, 20_000, 4096)
    closeSync(descriptor)
    return (await open(file)).deployment.findMany()
  },
  async 'not a database'() {
    const file = await migrated()
    writeFileSync(file, 'not a database '.repeat(1000))
    return open(file)
  },
  async gone() {
    return open(join(await migrated(), '../another.db'))
  },
  async 'not migrated'() {
    const file = join(await migrated(), '../another.db')
    new Sqlite(file).close()
    return (await open(file)).deployment.count()
  },
  async full() {
    const prisma = await open(await migrated())
    await prisma.$queryRawUnsafe('PRAGMA max_page_count = 1')
    return prisma.deployment.create({ data: { ...row, identity: 'x'.repeat(500_000) } })
  },
  async 'read-only'() {
    const prisma = await open(await migrated())
    await prisma.$queryRawUnsafe('PRAGMA query_only = 1')
    return prisma.deployment.create({ data: row })
  },
  async 'transaction too slow'() {
    const prisma = await open(await migrated())
    return prisma.$transaction(async (transaction) => transaction.deployment.count(), { timeout: 0 })
  },
}

describe('the answer is unknown when the database is', () => {
  test.each(Object.entries(failures))('%s', async (_, fail) => {
    const error = await fail().then(
      () => undefined,
      (reason: unknown) => reason,
    )
    expect(error).toBeInstanceOf(Error)
    expect(isUnavailable(error)).toBe(true)
  })
})

test('waiting for a lock is over in time, and the next write succeeds', async () => {
  const file = await migrated()
  const prisma = await open(file)
  const writer = new Sqlite(file)
  onTestFinished(() => void writer.close())
  writer.exec('BEGIN IMMEDIATE')
  const start = performance.now()
  await expect(prisma.deployment.create({ data: row })).rejects.toSatisfy(isUnavailable)
  expect(performance.now() - start).toBeLessThan(2000)
  writer.exec('ROLLBACK')
  await expect(prisma.deployment.create({ data: row })).resolves.toMatchObject({ id: 1 })
})

test('a full disk does not stop later transactions', async () => {
  const prisma = await open(await migrated())
  await prisma.$queryRawUnsafe('PRAGMA max_page_count = 1')
  const big = { ...row, identity: 'x'.repeat(500_000) }
  const fill = prisma.$transaction(async (transaction) => transaction.deployment.create({ data: big }))
  await expect(fill).rejects.toSatisfy(isUnavailable)
  const count = (client: Pick<Prisma, 'deployment'>) => client.deployment.count()
  expect(await prisma.$transaction(async (transaction) => count(transaction))).toBe(0)
})

test.each(['EACCES', 'EROFS', 'ENOSPC', 'EIO', 'EMFILE', 'ERR_WORKER_OUT_OF_MEMORY'])(
  'a file that cannot be made or read, or a thread that cannot run: %s',
  (code) => {
    expect(isUnavailable(Object.assign(new Error(), { code }))).toBe(true)
  },
)

describe('a fault of ours is none of the database', () => {
  test('a call that is wrong in itself', async () => {
    const prisma = await open(await migrated())
    const error = await prisma.deployment.create({ data: { nope: 1 } as never }).catch((reason) => reason)
    expect(error).toBeInstanceOf(Error)
    expect(isUnavailable(error)).toBe(false)
  })

  test.each([
    new Error('other'),
    Object.assign(new Error(), { code: 'ENOENT' }),
    new TypeError('other'),
    null,
    undefined,
    'PrismaClientKnownRequestError',
  ])('%s', (thrown) => {
    expect(isUnavailable(thrown)).toBe(false)
  })
})
