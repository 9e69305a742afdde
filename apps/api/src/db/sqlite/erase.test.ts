import { closeSync, openSync, readFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { migrations, temporaryFolder } from '../../../test/support/folders.ts'
import { DatabaseError } from '../errors.ts'
import { recordAtStart } from './checkpoint.ts'
import { readRecord } from './checkpoint-record.ts'
import { openConnection } from './connection.ts'
import { erasing, rewriteFailed } from './erase.ts'
import { createSqliteMigrator } from './migrate.ts'
import { createWriter } from './writer.ts'

const canary = 'canary-of-what-is-removed'

/** A file whose table `Torn` cannot be read, and so not be rewritten, as a service holds it. */
async function tornFile() {
  const { folder, remove } = await temporaryFolder()
  onTestFinished(remove)
  const file = join(folder, 'test.db')
  await createSqliteMigrator({ databaseFile: file, migrations, clock: () => new Date() }).apply()
  const made = new Sqlite(file)
  made.exec('PRAGMA journal_mode = WAL; CREATE TABLE Kept (text); CREATE TABLE Torn (text)')
  made.exec(`INSERT INTO Kept VALUES ('${canary}'), ('other'); INSERT INTO Torn VALUES ('torn')`)
  const page = made
    .prepare<[], number>(`SELECT rootpage FROM sqlite_schema WHERE name = 'Torn'`)
    .pluck()
    .get()!
  const size = Number(made.pragma('page_size', { simple: true }))
  made.close()
  const descriptor = openSync(file, 'r+')
  writeSync(descriptor, Buffer.alloc(8, 255), 0, 8, (page - 1) * size)
  closeSync(descriptor)
  const connection = openConnection(file)
  onTestFinished(() => void connection.close())
  return { file, connection }
}

test.each([
  ['the file cannot be rewritten', /^it is removed .* could not be rewritten \(SQLITE_CORRUPT\)/, () => {}],
  [
    'the action fails after it removed something',
    /^a later part$/,
    () => {
      throw new Error('a later part')
    },
  ],
])('what was removed leaves file and log, also where %s', async (_, message, next) => {
  const { file, connection } = await tornFile()
  const writer = createWriter({ file })
  onTestFinished(writer.close)
  async function remove() {
    connection.exec(`DELETE FROM Kept WHERE text = '${canary}'`)
    next()
  }
  await expect(erasing(remove, { file, writer, rewrite: true })).rejects.toThrow(message)
  expect(readFileSync(`${file}-wal`)).toHaveLength(0)
  expect(readFileSync(file).includes(canary)).toBe(false)
})

test('a checkpoint has its turn before it clears the record, and a long turn is no other program', async () => {
  const { file } = await tornFile()
  recordAtStart(file)
  const writer = createWriter({ file, timeoutMs: 300 })
  onTestFinished(writer.close)
  const { promise, resolve } = Promise.withResolvers<void>()
  let long: Promise<void> | undefined
  async function remove() {
    long = writer.transact(() => promise)
  }
  const erased = erasing(remove, { file, writer, rewrite: false })
  await expect(erased).rejects.toThrow(/^a transaction of this process takes too long: it is removed/)
  const waiting = writer.checkpoint('TRUNCATE', { serving: false })
  expect(readRecord(file)).toBeDefined()
  resolve()
  await Promise.allSettled([long, waiting])
})

test.each([
  ['full', 'SQLITE_FULL', 'make room for two copies of it'],
  ['busy', 'SQLITE_BUSY', 'stop everything that uses it; the next command'],
] as const)('what helps where the file could not be rewritten: %s', (kind, reason, helps) => {
  const { message } = rewriteFailed('shop.db', new DatabaseError(kind, reason))
  expect(message).toContain(`(${reason}): ${helps}`)
})
