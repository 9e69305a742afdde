import { afterEach, beforeEach, expect, test } from 'vitest'
import { chunked, createTestDatabase, ndjson, type TestDatabase } from '../../test/support/import-database.ts'
import { sample, samples } from '../../test/support/import-records.ts'
import { ImportError, type ImportOptions } from './import.ts'
import { importInWorker } from './import-in-worker.ts'

let database: TestDatabase

beforeEach(async () => {
  database = await createTestDatabase()
})

afterEach(() => database.remove())

const load = (source: AsyncIterable<Uint8Array>, options: Partial<ImportOptions> = {}) =>
  importInWorker({
    source,
    databaseFile: database.file,
    vault: database.vault,
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
      { line: 1, member: 'type' },
      { line: 2, member: null },
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
