import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { migrations, temporaryFolder } from '../../test/support/folders.ts'
import { databaseErrorKind, describeDatabaseError } from './errors.ts'
import { createMigrator } from './sqlite/migrate.ts'
import { openPrisma } from './sqlite/prisma.ts'

async function migrated() {
  const { folder, remove } = await temporaryFolder()
  onTestFinished(remove)
  const file = join(folder, 'test.db')
  await createMigrator({ file, folder: migrations, clock: () => new Date() }).apply()
  return file
}

const troubleOf = async (act: () => unknown) => {
  try {
    await act()
  } catch (error) {
    return `${databaseErrorKind(error)}: ${describeDatabaseError(error)}`
  }
  return 'no error'
}

const insert = `INSERT INTO Deployment (id, identity, secretCheck, createdAt) VALUES (1, 'x', 'x', 'x')`
const row = { id: 1, identity: 'x', secretCheck: 'x', createdAt: new Date() }

test('another writer: through the driver and through Prisma', async () => {
  const file = await migrated()
  const writer = new Sqlite(file)
  onTestFinished(() => void writer.close())
  writer.exec('BEGIN IMMEDIATE')
  const driver = new Sqlite(file, { timeout: 0 })
  onTestFinished(() => void driver.close())
  expect(await troubleOf(() => driver.exec(insert))).toMatch(/^busy: another command .*\(SQLITE_BUSY\)$/)
  const { prisma, close } = await openPrisma({ file, busyTimeoutMs: 0 })
  onTestFinished(close)
  const made = troubleOf(() => prisma.deployment.create({ data: row }))
  expect(await made).toMatch(/^busy: another command .*\(SQLITE_BUSY\)$/)
})

test('a full disk in a transaction of Prisma', async () => {
  const { prisma, close } = await openPrisma({ file: await migrated(), busyTimeoutMs: 0 })
  onTestFinished(close)
  await prisma.$queryRawUnsafe('PRAGMA max_page_count = 1')
  const big = { ...row, identity: 'x'.repeat(500_000) }
  const made = troubleOf(() => prisma.$transaction(async (tx) => tx.deployment.create({ data: big })))
  expect(await made).toMatch(/^full: the disk is full/)
})

test('a full disk, a read-only database, a file that is none', async () => {
  const file = await migrated()
  const driver = new Sqlite(file)
  onTestFinished(() => void driver.close())
  driver.pragma('max_page_count = 1')
  expect(await troubleOf(() => driver.exec(`CREATE TABLE More (text)`))).toMatch(/^full: the disk is full/)
  driver.pragma('query_only = 1')
  expect(await troubleOf(() => driver.exec(insert))).toMatch(/^readonly: the database cannot be written to/)
  const other = `${file}.other`
  writeFileSync(other, 'not a database '.repeat(1000))
  expect(await troubleOf(() => new Sqlite(other).pragma('journal_mode = WAL'))).toMatch(
    /^corrupt: .* is not a database/,
  )
})

test('other errors are none of the database', () => {
  for (const error of [new Error('SQLITE_BUSY'), null, undefined, { code: 'P2002' }, { code: 1 }]) {
    expect(describeDatabaseError(error)).toBeUndefined()
    expect(databaseErrorKind(error)).toBe('other')
  }
})
