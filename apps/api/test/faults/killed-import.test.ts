import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { SalesOptions } from '../../src/domain/imports.ts'
import { createTestDatabase, ndjson, secret, type TestDatabase } from '../support/import-database.ts'
import { sample, samples } from '../support/import-records.ts'

let database: TestDatabase

beforeEach(async () => {
  database = await createTestDatabase()
  await database.load(samples)
})

afterEach(() => database.remove())

const purchases = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    ...sample.purchase,
    purchase_code: `CODE-${index * 7919}-OF-A-LONG-FILE`,
  }))

function startImport(file: string, sales?: SalesOptions) {
  const script = join(import.meta.dirname, 'killed-import.ts')
  const child = spawn(
    process.execPath,
    [
      '--conditions=@saleproof/source',
      script,
      database.file,
      file,
      secret,
      ...(sales ? [JSON.stringify(sales)] : []),
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  let said = ''
  child.stdout.on('data', (data) => {
    said += data
  })
  const reaches = async (word: string) => {
    while (!said.includes(word) && child.exitCode === null) await once(child.stdout, 'data')
  }
  return { child, said: () => said, reaches }
}

test.each([0, 60, 250])('kill -9, %i ms into the copy, leaves the database as it was', async (delay) => {
  const file = join(database.directory, 'long.ndjson')
  writeFileSync(file, ndjson(purchases(150_000)))
  const before = await database.exported()
  const { child, said, reaches } = startImport(file)
  await reaches('copying')
  await sleep(delay)
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
  expect(said()).toBe('copying')
  expect(await database.exported()).toBe(before)
  expect(database.withDatabase((db) => db.pragma('integrity_check', { simple: true }))).toBe('ok')
  expect(readdirSync(database.directory).filter((name) => name.includes('.import-'))).toEqual([])
  await database.load(purchases(3))
})

test('kill -9 while a sales file is copied loses nothing, and the same file is imported afterwards', async () => {
  const file = join(database.directory, 'sales.csv')
  const rows = Array.from({ length: 20_000 }, (_, index) => `order-${index},101,5,USD,2026-01-01`)
  writeFileSync(file, ['Order,Item ID,Price,Currency,Date', ...rows].join('\n'))
  const text = readFileSync(file)
  const { preview } = await database.loadText(text, { preview: {} })
  const sales: SalesOptions = {
    ...{ file: 'sales.csv', profile: 'none', columns: preview!.columns, values: {}, items: {}, newItems: [] },
    ...{ dates: 'dmy', time_zone: 'UTC', codes: 'make', seed: 'a seed', skip_invalid: false },
  }
  const before = await database.exported()
  const { child, said, reaches } = startImport(file, sales)
  await reaches('copying')
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
  expect(said()).toBe('copying')
  expect(await database.exported()).toBe(before)
  const counts = { created: rows.length, updated: 0, unchanged: 0 }
  expect((await database.loadText(text, { sales })).counts.purchase).toEqual(counts)
})
