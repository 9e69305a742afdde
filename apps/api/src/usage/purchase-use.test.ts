import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import fc from 'fast-check'
import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { openUsage, usageOf, validation } from '../../test/support/usage.ts'
import { usageFilePath } from '../db/location.ts'
import { purchaseRef } from './purchase-use.ts'

function newDatabase() {
  const folder = mkdtempSync(join(tmpdir(), 'saleproof-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return join(folder, 'test.db')
}

/** Like a process of its own: it has its own connection. */
function processOf(databaseFile: string, now: () => number, options?: Parameters<typeof usageOf>[2]) {
  const usage = usageOf(databaseFile, now, options)
  return {
    read: usage.readPurchaseUse,
    forgetItem: (itemId: number, at: number) => usage.store.forgetItem(itemId, at),
    validate: (code: string, { workspace = 1, itemId = 1, failed = false } = {}) =>
      usage.observe(
        validation({ workspace, code: failed ? 'rate_limited' : null, validated: { code, itemId } }),
      ),
    close: usage.close,
  }
}

async function stored(databaseFile: string, code: string, workspace = 1) {
  const { store, close } = openUsage(databaseFile)
  return store.purchaseUse(purchaseRef(workspace, code)).finally(close)
}

const rowsIn = (databaseFile: string) => {
  const database = new Sqlite(usageFilePath(databaseFile))
  try {
    return database.prepare('SELECT count(*) FROM PurchaseUse').pluck().get()
  } finally {
    database.close()
  }
}

test('whatever the processes and their order, the stored totals are the sums', async () => {
  const validations = fc.array(
    fc.record({
      process: fc.nat(2),
      code: fc.constantFrom('a', 'b', 'c'),
      workspace: fc.constantFrom(1, 2),
      at: fc.integer({ min: 1, max: 2_000_000_000_000 }),
    }),
    { minLength: 1, maxLength: 40 },
  )
  await fc.assert(
    fc.asyncProperty(validations, async (sent) => {
      const databaseFile = newDatabase()
      let time = 0
      const processes = [0, 1, 2].map(() => processOf(databaseFile, () => time))
      for (const { process, code, workspace, at } of sent.toSorted((a, b) => a.at - b.at)) {
        time = at
        processes[process]!.validate(code, { workspace })
        // Writes this one ahead of the others.
        if (at % 5 === 0) await processes[process]!.read(workspace, code)
      }
      for (const process of processes) await process.close()
      for (const workspace of [1, 2])
        for (const code of ['a', 'b', 'c']) {
          const times = sent
            .filter((one) => one.code === code && one.workspace === workspace)
            .map(({ at }) => at)
          const expected = { firstAt: Math.min(...times), lastAt: Math.max(...times), count: times.length }
          expect(await stored(databaseFile, code, workspace)).toEqual(times.length ? expected : undefined)
        }
    }),
    { numRuns: 20 },
  )
})

test('what waits behind other batches is written ahead of them when it is read, and once', async () => {
  const databaseFile = newDatabase()
  const process = processOf(databaseFile, () => 1)
  for (let index = 0; index < 2000; index++) process.validate(`code ${index}`)
  await expect.poll(() => rowsIn(databaseFile), { interval: 10 }).toBeGreaterThan(0)
  expect(rowsIn(databaseFile)).toBeLessThan(1900)
  process.validate('code 1999')
  expect(await process.read(1, 'code 1999')).toMatchObject({ count: 2 })
  expect(await process.read(1, 'code 0')).toMatchObject({ count: 1 })
  await process.close()
  expect(rowsIn(databaseFile)).toBe(2000)
  for (const [code, count] of [
    ['code 0', 1],
    ['code 1500', 1],
    ['code 1999', 2],
  ] as const)
    expect(await stored(databaseFile, code)).toMatchObject({ count })
})

test('a failed request is not a validation of its purchase', async () => {
  const databaseFile = newDatabase()
  const process = processOf(databaseFile, () => 1)
  process.validate('a', { failed: true })
  await process.close()
  expect(rowsIn(databaseFile)).toBe(0)
})

test('the usage file does not contain the code', async () => {
  const databaseFile = newDatabase()
  const process = processOf(databaseFile, () => 1)
  process.validate('CANARY-CODE-0123456789')
  expect(await process.read(1, 'CANARY-CODE-0123456789')).toEqual({ firstAt: 1, lastAt: 1, count: 1 })
  await process.close()
  expect(readFileSync(usageFilePath(databaseFile), 'latin1')).not.toContain('CANARY-CODE')
})

test('while the file is locked, nothing is lost and the warning comes once', async () => {
  const databaseFile = newDatabase()
  const lines: string[] = []
  const log = pino({ base: null }, { write: (line) => void lines.push(line) })
  let time = 1
  openUsage(databaseFile).close()
  const process = processOf(databaseFile, () => time, { logger: log })
  const lock = new Sqlite(usageFilePath(databaseFile))
  lock.exec('BEGIN IMMEDIATE')
  process.validate('CANARY-A')
  await expect.poll(() => lines.length).toBe(1)
  time = 2
  process.validate('CANARY-A')
  await expect(process.read(1, 'CANARY-A')).rejects.toThrow()
  process.validate('CANARY-B')
  await new Promise((resolve) => setTimeout(resolve, 3000))
  lock.exec('ROLLBACK')
  lock.close()
  await process.close()
  expect(await stored(databaseFile, 'CANARY-A')).toEqual({ firstAt: 1, lastAt: 2, count: 2 })
  expect(await stored(databaseFile, 'CANARY-B')).toEqual({ firstAt: 2, lastAt: 2, count: 1 })
  expect(lines).toHaveLength(1)
  expect(lines.join()).not.toContain('CANARY')
})

test('a flood of codes that cannot be written fills the memory up to a limit; later ones are counted again', async () => {
  const databaseFile = newDatabase()
  const process = processOf(databaseFile, () => 1)
  for (let index = 0; index < 50_500; index++) process.validate(`code ${index}`)
  process.validate('code 0')
  process.validate('code 50400')
  expect(await process.read(1, 'code 0')).toMatchObject({ count: 2 })
  // One is written now, so there is room for one.
  process.validate('code 50400')
  process.validate('code 50401')
  await process.close()
  expect(await stored(databaseFile, 'code 50400')).toMatchObject({ count: 1 })
  expect(await stored(databaseFile, 'code 50401')).toBeUndefined()
  expect(rowsIn(databaseFile)).toBe(50_001)
})

test('what a process has yet to write of a removed item is not written; an item that comes back is counted', async () => {
  const databaseFile = newDatabase()
  let time = 1000
  const process = processOf(databaseFile, () => time)
  const other = processOf(databaseFile, () => time)
  process.validate('a', { itemId: 7 })
  await process.read(1, 'a')
  process.validate('a', { itemId: 7 })
  process.validate('b', { itemId: 8 })
  time = 2000
  await other.forgetItem(7, time)
  expect(await other.read(1, 'a')).toBeUndefined()
  expect(await process.read(1, 'a')).toBeUndefined()
  time = 3000
  other.validate('a', { itemId: 7 })
  await process.close()
  await other.close()
  expect(await stored(databaseFile, 'a')).toEqual({ firstAt: 3000, lastAt: 3000, count: 1 })
  expect(await stored(databaseFile, 'b')).toMatchObject({ count: 1 })
})

test('a read waits for the batch that is being written', async () => {
  const { promise: started, resolve: start } = Promise.withResolvers<void>()
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const process = processOf(newDatabase(), () => 5, {
    async before({ method }) {
      if (method !== 'record') return
      start()
      await released
    },
  })
  process.validate('a')
  await started
  const read = process.read(1, 'a')
  release()
  expect(await read).toMatchObject({ count: 1 })
  await process.close()
})
