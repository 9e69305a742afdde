import { setTimeout as sleep } from 'node:timers/promises'
import type { Worker } from 'node:worker_threads'
import Sqlite from 'better-sqlite3'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import {
  chunked,
  createTestDatabase,
  ndjson,
  secret,
  type TestDatabase,
} from '../../test/support/import-database.ts'
import { sample, samples } from '../../test/support/import-records.ts'
import { ImportError, type ImportRequest } from '../domain/imports.ts'
import { createImportWorkers } from './import-in-worker.ts'

const keptMs = 2000
const stopMs = 500

let database: TestDatabase
let workers: ReturnType<typeof createImportWorkers>

beforeEach(async () => {
  database = await createTestDatabase()
  workers = createImportWorkers({ secret, keptMs, stopMs })
})

afterEach(() => {
  workers.close()
  database.remove()
})

/** The threads that are started from now on, and those of them that run. */
function watchThreads() {
  const started: Worker[] = []
  const watch = (worker: Worker) => void started.push(worker)
  process.on('worker', watch)
  onTestFinished(() => void process.off('worker', watch))
  return { started, running: () => started.filter(({ threadId }) => threadId !== -1) }
}

const load = (
  source: AsyncIterable<Uint8Array>,
  options: Partial<ImportRequest & { databaseFile: string }> = {},
) =>
  workers.importInWorker({
    source,
    databaseFile: database.file,
    now: () => new Date('2026-01-01T00:00:00Z'),
    ...options,
  })

const purchases = (count: number) =>
  ndjson(
    Array.from({ length: count }, (_, index) => ({
      ...sample.purchase,
      purchase_code: `CODE-${index}-OF-A-LONG-FILE`,
    })),
  )

test('stores what importRecords would, keys included', async () => {
  const phases = new Set<string>()
  const { counts } = await load(chunked(ndjson(samples), 100), {
    onProgress: ({ phase }) => phases.add(phase),
  })
  expect(counts.api_key.created).toBe(1)
  expect([...phases]).toEqual(['reading', 'checking', 'copying'])
  const text = await database.exported()
  expect(text).toContain(`"key":"${sample.key.key}"`)
  database.clear()
  await database.load(samples)
  expect(await database.exported()).toBe(text)
})

test('refuses with the same problems', async () => {
  const error = await load(chunked('{"type":"refund"}\n[]')).catch((reason: unknown) => reason)
  expect(error).toBeInstanceOf(ImportError)
  expect(error).toMatchObject({
    more: false,
    problems: [
      { line: 1, field: 'type' },
      { line: 2, field: null },
    ],
  })
})

test('the process goes on while it works', async () => {
  await load(chunked(ndjson(samples)))
  const started = performance.now()
  let longest = 0
  let last = started
  const timer = setInterval(() => {
    longest = Math.max(longest, performance.now() - last)
    last = performance.now()
  }, 5)
  await load(chunked(purchases(60_000)))
  clearInterval(timer)
  // Relative, because machines differ: an import in this thread would be one pause as long as itself.
  expect(longest).toBeLessThan((performance.now() - started) / 3)
})

test('an abort stops it and stores nothing', async () => {
  await load(chunked(ndjson(samples)))
  const before = await database.exported()
  for (const phase of ['reading', 'copying']) {
    const abort = new AbortController()
    const onProgress = (progress: { phase: string }) => {
      if (progress.phase === phase) abort.abort()
    }
    const loading = load(chunked(purchases(100_000)), { signal: abort.signal, onProgress })
    await expect(loading).rejects.toThrow('abort')
    expect(await database.exported()).toBe(before)
  }
})

test('a source that fails is reported with its own error', async () => {
  async function* broken() {
    yield Buffer.from(ndjson(samples))
    throw new Error('the client went away')
  }
  await expect(load(broken())).rejects.toThrow('the client went away')
  expect(await database.exported()).toBe('')
})

test('an error of the database keeps its kind and code', async () => {
  const missing = load(chunked(''), { databaseFile: `${database.file}.missing` })
  await expect(missing).rejects.toMatchObject({ kind: 'cannot_open', reason: 'SQLITE_CANTOPEN' })
})

test('imports take the threads of those before them, one at a time each; a thread without any ends', async () => {
  const { started, running } = watchThreads()
  await load(chunked(ndjson(samples)))
  for (let count = 0; count < 3; count++) {
    await expect(load(chunked('[]'))).rejects.toBeInstanceOf(ImportError)
    await load(chunked(purchases(200)))
  }
  expect(started).toHaveLength(1)
  for (let count = 0; count < 3; count++)
    await Promise.all([1, 2].map(() => load(chunked(purchases(200)), { dryRun: true })))
  expect(started).toHaveLength(2)
  expect(running()).toHaveLength(2)
  await expect.poll(running, { timeout: 10_000 }).toEqual([])
  await load(chunked(purchases(200)))
  expect(started).toHaveLength(3)
})

test('a thread that was stopped takes the next import', async () => {
  const { started } = watchThreads()
  await load(chunked(ndjson(samples)))
  const abort = new AbortController()
  const loading = load(chunked(purchases(50_000)), { signal: abort.signal, onProgress: () => abort.abort() })
  await expect(loading).rejects.toThrow('abort')
  expect((await load(chunked(purchases(200)))).counts.purchase.created).toBe(200)
  expect(started).toHaveLength(1)
})

test('an import whose thread crashes fails, and the next one has another', async () => {
  const { started } = watchThreads()
  await load(chunked(ndjson(samples)))
  const before = await database.exported()
  const crash = () => void started[0]?.terminate()
  await expect(load(chunked(purchases(50_000)), { onProgress: crash })).rejects.toThrow('without an answer')
  expect(await database.exported()).toBe(before)
  await load(chunked(purchases(200)))
  expect(started).toHaveLength(2)
})

test('an import whose thread does not stop in time ends all the same, and the next one has another', async () => {
  const { started, running } = watchThreads()
  await load(chunked(ndjson(samples)))
  const lock = new Sqlite(database.file)
  lock.exec('BEGIN IMMEDIATE')
  const abort = new AbortController()
  const loading = load(chunked(purchases(200)), { signal: abort.signal })
  await sleep(300)
  abort.abort()
  const began = performance.now()
  await expect(loading).rejects.toThrow('abort')
  expect(performance.now() - began).toBeLessThan(3000)
  lock.exec('ROLLBACK')
  lock.close()
  await load(chunked(purchases(200)))
  expect(started).toHaveLength(2)
  await expect.poll(running, { timeout: 10_000 }).toEqual([])
})
