import { mkdtempSync, openSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import Sqlite from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { createVersion } from './data-version.ts'

function setUp() {
  const folder = mkdtempSync(join(tmpdir(), 'saleproof-version-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'a.db')
  const [writer, reader] = [new Sqlite(file), new Sqlite(file)]
  writer.pragma('journal_mode = WAL')
  writer.exec('CREATE TABLE Sale (id INTEGER)')
  reader.pragma('query_only = ON')
  const { current, snapshot } = createVersion(reader, () => openSync(`${file}-shm`, 'r'))
  const count = reader.prepare('SELECT count(*) FROM Sale').pluck()
  function read() {
    snapshot.open()
    return count.get()
  }
  return { writer, reader, current, snapshot, read, sell: () => writer.exec('INSERT INTO Sale VALUES (1)') }
}

test('a commit between two reads of one turn is seen once the version was asked for', () => {
  const { current, snapshot, read, sell } = setUp()
  const before = current()
  expect(read()).toBe(0)
  sell()
  expect(read()).toBe(0)
  expect(current()).not.toBe(before)
  expect([read(), snapshot.opened()]).toEqual([1, 2])
})

test('reads of one turn share a snapshot, which does not outlive the turn', async () => {
  const { reader, writer, current, snapshot, read, sell } = setUp()
  sell()
  for (let count = 0; count < 3; count++) expect([current() > 0, read()]).toEqual([true, 1])
  expect([snapshot.opened(), reader.inTransaction]).toEqual([1, true])
  await nextTurn()
  expect(reader.inTransaction).toBe(false)
  expect(writer.pragma('wal_checkpoint(TRUNCATE)')).toEqual([{ busy: 0, log: 0, checkpointed: 0 }])
})
