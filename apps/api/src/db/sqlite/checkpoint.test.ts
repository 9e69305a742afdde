import { execFileSync, fork } from 'node:child_process'
import { once } from 'node:events'
import {
  appendFileSync,
  closeSync,
  cpSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import Sqlite from 'better-sqlite3'
import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../../../test/support/folders.ts'
import { recordAtStart, runCheckpoint } from './checkpoint.ts'
import { type Change, findChange, findForeignChanges, forgetRecord, readRecord } from './checkpoint-record.ts'

/** A database with a log, as a service that starts finds it. */
async function setup() {
  const { folder, remove } = await temporaryFolder()
  onTestFinished(remove)
  const file = join(folder, 'test.db')
  const writer = new Sqlite(file)
  writer.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF; PRAGMA wal_autocheckpoint = 0')
  writer.exec('CREATE TABLE Page (content BLOB)')
  onTestFinished(() => void writer.close())
  recordAtStart(file)
  const checkpoint = (mode: string) =>
    runCheckpoint(file, async () => writer.pragma(`wal_checkpoint(${mode})`), { serving: true })
  return { folder, file, writer, checkpoint }
}

/** One byte that is there already: neither the size nor the content of the file changes. */
function rewriteByte(file: string) {
  const descriptor = openSync(file, 'r+')
  writeSync(descriptor, readFileSync(file).subarray(0, 1), 0, 1, 0)
  closeSync(descriptor)
}

const steps = fc.array(
  fc.constantFrom('commit', 'grow', 'shrink', 'open', 'PASSIVE', 'FULL', 'RESTART', 'TRUNCATE'),
  { minLength: 1, maxLength: 12 },
)

test('what we do to a database is no change, and a write of another program is one, whatever came before', async () => {
  const { file, writer, checkpoint } = await setup()
  const acts: Record<string, () => unknown> = {
    commit: () => writer.exec('INSERT INTO Page VALUES (zeroblob(100))'),
    grow: () => writer.exec('INSERT INTO Page VALUES (zeroblob(300000))'),
    shrink: () => writer.exec('DELETE FROM Page; VACUUM'),
    open: () => {
      const other = new Sqlite(file)
      other.exec('PRAGMA wal_autocheckpoint = 0; INSERT INTO Page VALUES (1)')
      other.close()
    },
  }
  const checked = fc.asyncProperty(steps, steps, async (before, after) => {
    for (const step of before) {
      await (acts[step] ?? (() => checkpoint(step)))()
      expect(findChange(file)).toBeUndefined()
    }
    rewriteByte(file)
    expect(findChange(file)).toBe('changed')
    for (const step of after) {
      if (acts[step]) acts[step]()
      else await expect(checkpoint(step)).rejects.toMatchObject({ kind: 'file_lost' })
      expect(findChange(file)).toBe('changed')
    }
    await sleep(20)
    forgetRecord(file)
    recordAtStart(file)
  })
  await fc.assert(checked, { numRuns: 20 })
})

test('nor is it a change while another process writes and makes checkpoints all the time', async () => {
  const { file, checkpoint } = await setup()
  const busy = fork(fileURLToPath(new URL('../../../test/support/busy-writer.ts', import.meta.url)), [file])
  const exited = once(busy, 'exit')
  await once(busy, 'message')
  const changes = new Set<unknown>()
  const records = new Set<unknown>()
  const [end, latest] = [performance.now() + 2000, performance.now() + 30_000]
  // As many as a busy machine needs to see some.
  while (performance.now() < (records.size > 3 ? end : latest)) {
    changes.add(findChange(file))
    records.add(readRecord(file)?.modifiedMs)
    await turn()
  }
  busy.kill('SIGKILL')
  await exited
  expect([...changes]).toEqual([undefined])
  expect(records.size).toBeGreaterThan(3)
  // It was killed in the middle of a checkpoint, or not: the next one goes on.
  expect(await checkpoint('PASSIVE')).toEqual([expect.objectContaining({ busy: 0 })])
  expect([findChange(file), readRecord(file)?.size]).toEqual([undefined, statSync(file).size])
})

test('of two processes that make a checkpoint at once one does nothing', async () => {
  const { file, checkpoint } = await setup()
  const { promise, resolve } = Promise.withResolvers<string>()
  const first = runCheckpoint(file, () => promise, { serving: true })
  expect(await checkpoint('PASSIVE')).toBeUndefined()
  resolve('done')
  expect(await first).toBe('done')
  expect(await checkpoint('TRUNCATE')).toEqual([expect.objectContaining({ busy: 0 })])
  expect(findChange(file)).toBeUndefined()
})

test('what a command does alone is not recorded', async () => {
  const { file } = await setup()
  forgetRecord(file)
  await runCheckpoint(file, async () => {}, { serving: false })
  expect(readRecord(file)).toBeUndefined()
  rewriteByte(file)
  expect(findChange(file)).toBeUndefined()
})

test.each<[string, Change, (file: string) => void]>([
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
  ['of another time', 'changed', (file) => utimesSync(file, new Date(), new Date(Date.now() + 5000))],
])('a database that is %s: %s', async (_, change, act) => {
  const { file, writer, checkpoint } = await setup()
  writer.exec('INSERT INTO Page VALUES (zeroblob(300000))')
  await checkpoint('TRUNCATE')
  expect(findChange(file)).toBeUndefined()
  act(file)
  expect(findChange(file)).toBe(change)
})

test('a file and its log may move together, but not apart', async () => {
  const { folder, file, writer, checkpoint } = await setup()
  writer.exec('INSERT INTO Page VALUES (1)')
  const moved = `${folder}-moved`
  onTestFinished(() => rmSync(moved, { recursive: true, force: true }))
  // Node.js itself copies times less exactly.
  execFileSync('cp', ['-a', folder, moved])
  const copy = join(moved, 'test.db')
  expect(findForeignChanges(copy)).toBeUndefined()
  await checkpoint('PASSIVE')
  cpSync(file, copy)
  expect(findForeignChanges(copy)).toBeDefined()
  rmSync(`${copy}-wal`)
  expect(findForeignChanges(copy)).toBeUndefined()
})
