import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { migrations, temporaryFolder } from '../../../test/support/folders.ts'
import { openTestPrisma } from '../../../test/support/open-prisma.ts'
import { createSqliteMigrator } from './migrate.ts'

const busyTimeoutMs = 50

async function setup() {
  const { folder, remove } = await temporaryFolder()
  onTestFinished(remove)
  const file = join(folder, 'test.db')
  await createSqliteMigrator({ databaseFile: file, migrations, clock: () => new Date() }).apply()
  return { folder, file }
}

const deployment = { id: 1, identity: 'x', secretCheck: 'x', createdAt: new Date('2024-04-27T12:00:00.000Z') }

test('what is confirmed is on the disk, references hold, and waiting is short', async () => {
  const { file } = await setup()
  const { transact } = await openTestPrisma(file, busyTimeoutMs)
  const pragmas = (name: string) => transact((tx) => tx.$queryRawUnsafe(`PRAGMA ${name}`))
  expect(await pragmas('journal_mode')).toEqual([{ journal_mode: 'wal' }])
  expect(await pragmas('synchronous')).toEqual([{ synchronous: 2n }])
  expect(await pragmas('foreign_keys')).toEqual([{ foreign_keys: 1n }])
  expect(await pragmas('busy_timeout')).toEqual([{ timeout: 50n }])
})

test('no file of it can be read by anybody else', async () => {
  const { folder, file } = await setup()
  const { prisma } = await openTestPrisma(file, busyTimeoutMs)
  await prisma.deployment.create({ data: deployment })
  const files = readdirSync(folder).map((name) => [name, statSync(join(folder, name)).mode & 0o777])
  expect(files).toEqual([
    ['test.db', 0o600],
    ['test.db-shm', 0o600],
    ['test.db-wal', 0o600],
  ])
})

test('a missing file is not created', async () => {
  const { folder } = await setup()
  const file = join(folder, 'another.db')
  await expect(openTestPrisma(file, busyTimeoutMs)).rejects.toMatchObject({ reason: 'SQLITE_CANTOPEN' })
  expect(existsSync(file)).toBe(false)
})

test('reads go on while another process writes', async () => {
  const { file } = await setup()
  const { prisma } = await openTestPrisma(file, busyTimeoutMs)
  const writer = new Sqlite(file)
  onTestFinished(() => void writer.close())
  writer.exec('BEGIN IMMEDIATE')
  expect(await prisma.deployment.count()).toBe(0)
})

test('a timestamp is stored as raw SQL writes it, in milliseconds', async () => {
  const { file } = await setup()
  const { prisma } = await openTestPrisma(file, busyTimeoutMs)
  await prisma.deployment.create({ data: deployment })
  const reader = new Sqlite(file, { readonly: true })
  onTestFinished(() => void reader.close())
  expect(reader.prepare('SELECT "createdAt" FROM "Deployment"').pluck().get()).toBe(
    Date.parse('2024-04-27T12:00:00Z'),
  )
})

test('queries that Prisma sends together are read', async () => {
  const { file } = await setup()
  const { prisma } = await openTestPrisma(file, busyTimeoutMs)
  const where = { workspaceId_code: { workspaceId: 1, code: 'a' } }
  const find = (keyId: string) =>
    prisma.purchase.findUnique({ where: { ...where, item: { keys: { some: { keyId } } } } })
  expect(await Promise.all([find('a'), find('b')])).toEqual([null, null])
})
