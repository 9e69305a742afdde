import { fork } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, renameSync, rmSync, truncateSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import Sqlite from 'better-sqlite3'
import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../../../test/support/folders.ts'
import { rememberFiles } from './files.ts'
import { createLogIndex } from './log-index.ts'

/** A database with a log, a connection that only reads it, and what is remembered of its files. */
async function setup() {
  const { folder, remove } = await temporaryFolder()
  onTestFinished(remove)
  const file = join(folder, 'test.db')
  const writer = new Sqlite(file)
  writer.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF; CREATE TABLE Page (content BLOB)')
  const reader = new Sqlite(file)
  reader.exec('PRAGMA query_only = ON; SELECT * FROM Page')
  const index = createLogIndex(file)
  const files = rememberFiles(file, index)
  onTestFinished(() => {
    for (const database of [reader, writer]) database.close()
    index.close()
  })
  return { file, writer, reader, files }
}

const steps = fc.array(
  fc.constantFrom('commit', 'grow', 'shrink', 'PASSIVE', 'FULL', 'RESTART', 'TRUNCATE', 'look', 'open'),
  { minLength: 5, maxLength: 60 },
)

test('whatever SQLite does to its files is no loss', async () => {
  const { file, writer, files } = await setup()
  const acts: Record<string, () => unknown> = {
    commit: () => writer.exec('INSERT INTO Page VALUES (zeroblob(100))'),
    grow: () => writer.exec('INSERT INTO Page VALUES (zeroblob(300000))'),
    shrink: () => writer.exec('DELETE FROM Page; VACUUM'),
    look: () => expect(files.loss()).toBeUndefined(),
    open: () => {
      const other = new Sqlite(file)
      other.exec('INSERT INTO Page VALUES (1)')
      other.close()
    },
  }
  fc.assert(
    fc.property(steps, (made) => {
      for (const step of made) (acts[step] ?? (() => writer.pragma(`wal_checkpoint(${step})`)))()
      expect(files.loss()).toBeUndefined()
    }),
    { numRuns: 100 },
  )
})

test('nor is it while another process writes and moves its log all the time', async () => {
  const { file, reader, files } = await setup()
  const busy = fork(fileURLToPath(new URL('../../../test/support/busy-writer.ts', import.meta.url)), [file])
  const exited = once(busy, 'exit')
  await once(busy, 'message')
  const count = reader.prepare('SELECT count(*) FROM Page').pluck()
  const losses = new Set<unknown>()
  const [end, before] = [performance.now() + 2000, count.get() as number]
  for (let looks = 0; performance.now() < end; looks++) {
    losses.add(files.loss())
    if (looks % 100 === 0) {
      count.get()
      await turn()
    }
  }
  busy.kill('SIGKILL')
  await exited
  expect(count.get()).toBeGreaterThan(before + 50)
  expect([...losses]).toEqual([undefined])
}, 20_000)

/** A change within the same tick of the file system's clock as the one before would not show. */
const later = { atime: new Date(), mtime: new Date(Date.now() + 5000) }

test.each<[string, string, (file: string) => void]>([
  ['deleted', 'missing', (file) => rmSync(file)],
  ['moved away', 'missing', (file) => renameSync(file, `${file}.moved`)],
  [
    'replaced',
    'replaced',
    (file) => {
      writeFileSync(`${file}.new`, '')
      renameSync(`${file}.new`, file)
    },
  ],
  ['cut off', 'changed', (file) => truncateSync(file, 4096)],
  ['emptied', 'changed', (file) => truncateSync(file, 0)],
  ['written to', 'changed', (file) => appendFileSync(file, 'x')],
  ['of another time', 'changed', (file) => utimesSync(file, later.atime, later.mtime)],
  ['without its log', 'log', (file) => rmSync(`${file}-wal`)],
  ['without the index of its log', 'log', (file) => rmSync(`${file}-shm`)],
])('a database that is %s: %s', async (_, loss, act) => {
  const { file, writer, files } = await setup()
  writer.exec('INSERT INTO Page VALUES (zeroblob(300000)); PRAGMA wal_checkpoint(TRUNCATE)')
  expect(files.loss()).toBeUndefined()
  act(file)
  expect(files.loss()).toBe(loss)
  if (loss !== 'log') expect(files.lossOfMain()).toBe(loss)
})

test('a database that comes back is the one that it was', async () => {
  const { file, files } = await setup()
  renameSync(file, `${file}.moved`)
  expect(files.loss()).toBe('missing')
  renameSync(`${file}.moved`, file)
  expect(files.loss()).toBeUndefined()
})
