import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { SalesOptions } from '../../src/domain/imports.ts'
import { packageRoot } from '../support/folders.ts'
import { createTestDatabase, ndjson, secret, type TestDatabase } from '../support/import-database.ts'
import { sample, samples } from '../support/import-records.ts'
import { compareStored, exportOf, timeZone } from '../support/sales-exports.ts'

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

function startImport(file: string, ...more: readonly string[]) {
  const script = join(import.meta.dirname, 'killed-import.ts')
  const child = spawn(
    process.execPath,
    ['--conditions=@saleproof/source', script, database.file, file, secret, ...more],
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

/** Has an import kill itself when it has reached a phase; each kill has to hit. */
async function killIn(phase: string, file: string, ...more: readonly string[]) {
  const { child, said } = startImport(file, phase, ...more)
  // When all it said was read, too.
  expect(await once(child, 'close')).toEqual([null, 'SIGKILL'])
  expect(said()).toBe(['copying', 'stored'].includes(phase) ? 'copying' : '')
  expect(database.withDatabase((db) => db.pragma('integrity_check', { simple: true }))).toBe('ok')
  return database.exported()
}

const phases = ['reading', 'staged', 'checked', 'copying', 'stored']

test('an import of a sales file that is killed in any phase is stored as a whole, or not at all', async () => {
  const made = exportOf('stripe', 8000)
  const file = join(database.directory, 'stripe.csv')
  writeFileSync(file, made.text)
  const { preview } = await database.loadText(made.text, { preview: {} })
  const sales: SalesOptions = {
    file: 'stripe.csv',
    profile: 'stripe',
    columns: preview!.columns,
    values: {},
    items: { 'Icon pack': sample.item.id, 'Rain loops': sample.item.id },
    newItems: [],
    dates: 'dmy',
    time_zone: timeZone,
    codes: 'make',
    seed: 'a seed',
    skip_invalid: true,
  }
  const choices = join(database.directory, 'choices.json')
  writeFileSync(choices, JSON.stringify(sales))
  const before = await database.exported()
  let stored = ''
  for (const phase of phases) {
    stored = await killIn(phase, file, choices)
    if (phase !== 'stored') expect(stored === before, phase).toBe(true)
  }
  const expected = { missing: [], unexpected: [], codes: made.sales.length }
  const nameless = { ...made, sales: made.sales.map((sale) => ({ ...sale, item: 'Icon pack' })) }
  expect(compareStored('stripe', stored, { [sample.item.id]: 'Icon pack' }, nameless)).toEqual(expected)
  const { counts } = await database.loadText(made.text, { sales })
  expect(counts.purchase).toEqual({ created: 0, updated: 0, unchanged: made.sales.length })
})

test('an import of a dump that is killed in any phase is stored as a whole, or not at all', async () => {
  const count = 8000
  const dump = readFileSync(join(packageRoot, 'test/fixtures/marketbob.sql'), 'utf8')
  const rows = Array.from(
    { length: count },
    (_, index) =>
      `(${5000 + index}, 'DUMP-${index}-ABCDEFGH', 4, 3, 2000, 1000, 1, NULL, 0, 1, '2024-08-01', NULL)`,
  )
  const more = /INSERT INTO `purchases` .* VALUES\n/.exec(dump)![0]
  const file = join(database.directory, 'dump.sql')
  writeFileSync(file, dump.replace(more, `${more}${rows.join(',\n')},\n`))
  const before = await database.exported()
  for (const phase of phases) {
    const stored = await killIn(phase, file)
    if (phase !== 'stored') expect(stored === before, phase).toBe(true)
    else expect(stored.split('"purchase_code":"DUMP-').length - 1).toBe(count)
  }
})

test('kill -9 in the middle of a copy leaves the database as it was', async () => {
  const file = join(database.directory, 'long.ndjson')
  writeFileSync(file, ndjson(purchases(150_000)))
  const before = await database.exported()
  const { child, said, reaches } = startImport(file)
  await reaches('copying')
  await sleep(250)
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
  expect(said()).toBe('copying')
  expect(await database.exported()).toBe(before)
  expect(database.withDatabase((db) => db.pragma('integrity_check', { simple: true }))).toBe('ok')
  expect(readdirSync(database.directory).filter((name) => name.includes('.import-'))).toEqual([])
  await database.load(purchases(3))
})
