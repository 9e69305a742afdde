import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
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

function startImport(file: string) {
  const script = join(import.meta.dirname, 'killed-import.ts')
  const child = spawn(
    process.execPath,
    ['--conditions=@saleproof/source', script, database.file, file, secret],
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
