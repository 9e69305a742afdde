import type { Worker } from 'node:worker_threads'
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

let database: TestDatabase
let workers: ReturnType<typeof createImportWorkers>

beforeEach(async () => {
  database = await createTestDatabase()
  workers = createImportWorkers({ secret })
})

afterEach(async () => {
  await workers.close()
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
  const { counts } = await load(chunked(ndjson(samples), 100))
  expect(counts.api_key.created).toBe(1)
  const text = await database.exported()
  expect(text).toContain(`"key":"${sample.key.key}"`)
  database.clear()
  await database.load(samples)
  expect(await database.exported()).toBe(text)
})

test('records each key that it makes within the memory of a thread', async () => {
  const keys = Array.from({ length: 60_000 }, (_, index) => ({
    ...sample.key,
    key: `key-${index}-of-a-long-file`,
  }))
  const { counts } = await load(chunked(ndjson([...samples, ...keys])))
  expect(counts.api_key.created).toBe(60_001)
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
  const text = purchases(25_000)
  const before = performance.eventLoopUtilization()
  await load(chunked(text))
  // An import in this thread would take all of its time, however busy the machine is.
  expect(performance.eventLoopUtilization(before).utilization).toBeLessThan(0.5)
})

/** Runs a function when the last chunk of a source was taken: then it is being checked or copied. */
async function* thenRuns(source: AsyncIterable<Uint8Array>, act: () => void) {
  yield* source
  act()
}

/** A source that never gives its next chunk. */
async function* endless(text: string) {
  yield Buffer.from(text)
  await new Promise(() => {})
}

test('an abort stops it and stores nothing', async () => {
  await load(chunked(ndjson(samples)))
  const before = await database.exported()
  const abort = new AbortController()
  const source = thenRuns(chunked(purchases(30_000)), () => abort.abort())
  await expect(load(source, { signal: abort.signal })).rejects.toThrow('abort')
  const waiting = load(endless(purchases(10)), { signal: AbortSignal.timeout(300) })
  await expect(waiting).rejects.toThrow('timeout')
  expect(await database.exported()).toBe(before)
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

test('imports take the threads of those before them, one at a time each', async () => {
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
})

test('a thread without an import ends, and the next import has another', async () => {
  await workers.close()
  workers = createImportWorkers({ secret, keptMs: 50 })
  const { started, running } = watchThreads()
  await load(chunked(ndjson(samples)))
  await expect.poll(running, { timeout: 30_000 }).toEqual([])
  await load(chunked(purchases(200)))
  expect(started).toHaveLength(2)
})

test('a thread that was stopped takes the next import', async () => {
  const { started } = watchThreads()
  await load(chunked(ndjson(samples)))
  const abort = new AbortController()
  const source = thenRuns(chunked(purchases(20_000)), () => abort.abort())
  const loading = load(source, { signal: abort.signal })
  await expect(loading).rejects.toThrow('abort')
  expect((await load(chunked(purchases(200)))).counts.purchase.created).toBe(200)
  expect(started).toHaveLength(1)
})

test('an import whose thread crashes fails, and the next one has another', async () => {
  const { started } = watchThreads()
  await load(chunked(ndjson(samples)))
  const before = await database.exported()
  const progress = new Int32Array(new SharedArrayBuffer(4))
  const crashing = expect(load(endless(purchases(1000)), { progress })).rejects.toMatchObject({
    reason: 'THREAD_ENDED',
  })
  // While it waits for more: terminated within native code it could take the process with it.
  await expect.poll(() => progress[0], { timeout: 30_000 }).toBe(1000)
  await started[0]?.terminate()
  await crashing
  expect(await database.exported()).toBe(before)
  const { length } = started
  await load(chunked(purchases(200)))
  expect(started).toHaveLength(length + 1)
})
