import fc from 'fast-check'
import { pino } from 'pino'
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { type AuditEvent, hashEntry } from '../../src/audit/chain.ts'
import { formatNoted } from '../../src/audit/check.ts'
import { type ListedEntry, listAudit } from '../../src/audit/list.ts'
import { verifyAudit } from '../../src/audit/read.ts'
import { createAuditRetention, pruneAudit } from '../../src/audit/retention.ts'
import { appendEvents } from '../../src/audit/steps.ts'
import { openDatabase } from '../../src/open-database.ts'
import { changeIn, databaseUrlIn, onPostgres, secret } from '../support/database.ts'
import { migrations } from '../support/folders.ts'
import { temporaryFolder } from '../support/harness.ts'

afterEach(() => void vi.useRealTimers())

const dayMs = 86_400_000
const start = Date.parse('2026-03-01T00:00:00Z')
const twentyMinutes = 20 * 60_000

/** A deployment whose clock stands at `clock.day` days after its start. */
async function newLog() {
  const { folder, remove } = await temporaryFolder()
  const clock = { day: 0 }
  const now = () => new Date(start + clock.day * dayMs)
  const database = await openDatabase({
    databaseUrl: await databaseUrlIn(folder),
    secret,
    cwd: folder,
    migrations,
    busyTimeoutMs: 5000,
    clock: now,
    migrate: 'always',
  })
  onTestFinished(async () => {
    await database.close()
    await remove()
  })
  const { vault } = database
  async function append(...days: number[]) {
    const events = days.map(
      (day): AuditEvent => ({ at: new Date(start + day * dayMs), action: 'export', actor: 'cli' }),
    )
    if (events.length) await database.transact(() => appendEvents(events, vault))
  }
  return {
    database,
    clock,
    append,
    prune: (days: number) => pruneAudit(database, days, now()),
    list: () => listAudit(database, { limit: 100_000 }),
    numbers: async () => (await listAudit(database, { limit: 100_000 })).map(({ number }) => number),
    problem: async () => (await verifyAudit(database)).problem,
    change: (sql: string) => changeIn({ database }, sql),
    retention(days: number | undefined) {
      const lines: string[] = []
      const logger = pino({}, { write: (line) => void lines.push(line) })
      // From here on: the intervals of the open database are its own.
      vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
      const retention = createAuditRetention({ database, days, clock: now, logger })
      onTestFinished(retention.close)
      return { close: retention.close, lines }
    },
  }
}

type Log = Awaited<ReturnType<typeof newLog>>

/** Prunes until nothing is due, as the service does in a few hours. */
const noted = ({ position, hash }: ListedEntry) => formatNoted({ position: Number(position), hash })

async function pruneAll({ prune, clock }: Log, days: number) {
  for (let removed = 1; removed > 0; clock.day += 1 / 48) removed = await prune(days)
}

const withoutTriggers = onPostgres
  ? 'ALTER TABLE "AuditEntry" DISABLE TRIGGER USER; ALTER TABLE "AuditHead" DISABLE TRIGGER USER;'
  : `DROP TRIGGER "AuditEntry_inserted"; DROP TRIGGER "AuditEntry_updated"; DROP TRIGGER "AuditEntry_deleted";
     DROP TRIGGER "AuditHead_updated"; DROP TRIGGER "AuditHead_deleted";`

test('entries of more days ago are removed, and the log says which were the last', async () => {
  const log = await newLog()
  await log.append(0, 0.5, 1, 2, 3)
  const before = await log.list()
  log.clock.day = 12.3
  expect(await log.prune(10)).toBe(2)
  log.clock.day = 12.4
  expect(await log.prune(10)).toBe(1)
  log.clock.day = 12.5
  expect(await log.prune(10)).toBe(0)
  const after = await log.list()
  expect(after.slice(0, 2)).toEqual(before.slice(3))
  expect(after.slice(2)).toMatchObject([
    { number: 6, action: 'audit.pruned', actor: 'service', subject: noted(before[1]!) },
    { number: 7, action: 'audit.pruned', actor: 'service', subject: noted(before[2]!) },
  ])
  expect(await verifyAudit(log.database)).toMatchObject({
    problem: undefined,
    removed: 3,
    last: { position: 7 },
  })
})

test('a log whose entries are all old keeps what says so, and goes on', async () => {
  const log = await newLog()
  await log.append(0, 1, 2)
  log.clock.day = 100
  await pruneAll(log, 10)
  expect(await log.numbers()).toEqual([4, 5, 6])
  expect(await log.problem()).toBeUndefined()
  log.clock.day = 200
  await pruneAll(log, 10)
  await log.append(200)
  expect(await log.numbers()).toEqual([7, 8])
  expect(await log.problem()).toBeUndefined()
})

test('more entries than a batch are removed in several, each recorded', async () => {
  const log = await newLog()
  await log.append(...Array.from({ length: 450 }, (_, index) => index / 1000), 5)
  log.clock.day = 12
  expect(await log.prune(10)).toBe(450)
  expect(await log.numbers()).toEqual([451, 452, 453, 454])
  expect(await log.problem()).toBeUndefined()
})

test('a clock that is 100 days ahead for an hour costs the three oldest days', async () => {
  const log = await newLog()
  await log.append(...Array.from({ length: 50 }, (_, day) => day))
  const removed: number[] = []
  for (log.clock.day = 150; removed.length < 9; log.clock.day += 1 / 72)
    // Of three processes.
    for (let look = 0; look < 3; look++) removed.push(await log.prune(60))
  expect(removed).toEqual([1, 0, 0, 1, 0, 0, 1, 0, 0])
  log.clock.day = 50
  expect(await log.prune(60)).toBe(0)
  const left = (await log.list()).filter(({ action }) => action === 'export')
  expect(left.map(({ number }) => number)).toEqual(Array.from({ length: 47 }, (_, index) => index + 4))
  expect(await log.problem()).toBeUndefined()
})

test('an entry of a clock that was years ahead does not keep those before it', async () => {
  const log = await newLog()
  await log.append(0, 20_000, 1, 20_001, 30)
  log.clock.day = 31
  await pruneAll(log, 10)
  expect((await log.list()).filter(({ action }) => action === 'export').map(({ number }) => number)).toEqual([
    5,
  ])
})

test('the service looks three times an hour, and says what it removed', async () => {
  const log = await newLog()
  await log.append(0, 0.1, 1)
  log.clock.day = 12
  const { lines, close } = log.retention(10)
  await vi.advanceTimersByTimeAsync(twentyMinutes)
  await close()
  expect(lines.map((line) => JSON.parse(line).removed)).toEqual([2])
  expect(await log.numbers()).toEqual([3, 4])
})

test('without the setting nothing is removed', async () => {
  const log = await newLog()
  await log.append(0, 1)
  log.clock.day = 30_000
  const { close } = log.retention(undefined)
  await vi.advanceTimersByTimeAsync(10 * twentyMinutes)
  await close()
  expect(await log.numbers()).toEqual([1, 2])
})

test('whatever is recorded and removed, the log is whole and holds what it has to', async () => {
  const log = await newLog()
  const made: number[] = []
  const step = fc.oneof(
    fc.record({
      append: fc.array(fc.double({ min: -3, max: 3, noNaN: true }), { minLength: 1, maxLength: 6 }),
    }),
    fc.record({ prune: fc.integer({ min: 1, max: 12 }) }),
    fc.record({ wait: fc.noBias(fc.integer({ min: 0, max: 400 })) }),
  )
  const run = async (steps: (typeof step extends fc.Arbitrary<infer T> ? T : never)[]) => {
    for (const each of steps) {
      if ('wait' in each) log.clock.day += each.wait / 24
      if ('append' in each) {
        const days = each.append.map((skew) => log.clock.day + skew)
        await log.append(...days)
      }
      if ('prune' in each) {
        const before = await log.list()
        const removed = await log.prune(each.prune)
        const after = await log.list()
        expect(after.slice(0, before.length - removed)).toEqual(before.slice(removed))
        const cutoff = start + (log.clock.day - each.prune) * dayMs
        const now = start + log.clock.day * dayMs
        for (const { at } of before.slice(0, removed))
          expect(Date.parse(at!) < cutoff || Date.parse(at!) > now).toBe(true)
        made.push(removed)
      }
    }
    const { problem, removed, last } = await verifyAudit(log.database)
    expect(problem).toBeUndefined()
    expect(await log.numbers()).toEqual(
      Array.from({ length: last.position - removed }, (_, index) => removed + 1 + index),
    )
  }
  await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 16 }), run), { numRuns: 60 })
  expect(made.filter((removed) => removed > 0).length).toBeGreaterThan(10)
})

describe('an operator without the secret', () => {
  const columns =
    '"number", "at", "action", "actor", "workspaceId", "subject", "previousHash", "hash", "position"'

  async function prunedLog() {
    const log = await newLog()
    await log.append(0, 0.1, 0.2, 20, 21, 22)
    log.clock.day = 25
    const [, , removed] = await log.list()
    expect(await log.prune(10)).toBe(3)
    expect(await log.problem()).toBeUndefined()
    await log.change(withoutTriggers)
    return { ...log, removed: removed! }
  }

  /** An entry of the operator's with right hashes, with which others are said to be removed. */
  async function forge({ list }: Log, number: number) {
    const entries = await list()
    const [named, last] = [entries.find((entry) => entry.number === number)!, entries.at(-1)!]
    const at = new Date(last.at!)
    const entry = { number: last.number + 1, at, action: 'audit.pruned', actor: 'service', workspaceId: null }
    const forged = { ...entry, subject: noted(named), previousHash: last.hash }
    const hash = hashEntry(forged)
    return {
      hash,
      insert: `INSERT INTO "AuditEntry" (${columns}) VALUES (${forged.number}, '${last.at!.replace('Z', '+00:00')}', 'audit.pruned', 'service', NULL,
        '${forged.subject}', '${last.hash}', '${hash}', ${forged.number}); DELETE FROM "AuditEntry" WHERE "number" <= ${number};`,
      head: `UPDATE "AuditHead" SET "count" = ${forged.number}, "hash" = '${hash}';`,
    }
  }

  test.each([
    ['removes more than was recorded', 'DELETE FROM "AuditEntry" WHERE "number" = 4', 'entry 4 is missing'],
    ['removes all but the record', 'DELETE FROM "AuditEntry" WHERE "number" < 7', 'entry 4 is missing'],
    ['removes the record', 'DELETE FROM "AuditEntry" WHERE "number" = 7', 'entry 1 is missing'],
    ['removes all', 'DELETE FROM "AuditEntry"', 'entry 1 is missing'],
    [
      'removes more and names it in the record',
      `UPDATE "AuditEntry" SET "subject" = (SELECT '4:' || "hash" FROM "AuditEntry" WHERE "number" = 4) WHERE "number" = 7;
       DELETE FROM "AuditEntry" WHERE "number" = 4`,
      'entry 7 was changed',
    ],
    [
      'makes the record unreadable',
      `UPDATE "AuditEntry" SET "subject" = 'x' WHERE "number" = 7`,
      'entry 1 is missing',
    ],
    [
      'adds an entry before those that are left',
      `INSERT INTO "AuditEntry" (${columns}) SELECT 2, "at", "action", "actor", "workspaceId", "subject", "previousHash", "hash", 2
       FROM "AuditEntry" WHERE "number" = 4`,
      'entry 2 was added',
    ],
    [
      'changes an entry after it',
      `UPDATE "AuditEntry" SET "actor" = 'x' WHERE "number" = 5`,
      'entry 5 was changed',
    ],
  ])('%s', async (_, sql, message) => {
    const log = await prunedLog()
    await log.change(sql)
    expect(await log.problem()).toContain(message)
    await log.append(25)
    log.clock.day = 60
    await expect(pruneAll(log, 10)).rejects.toThrow()
    expect(await log.problem()).toContain(message)
  })

  test('records a removal of the own', async () => {
    const log = await prunedLog()
    const { insert } = await forge(log, 5)
    await log.change(insert)
    expect(await log.problem()).toBe('entry 8 was added: there were 7')
    await log.append(25)
    expect(await log.problem()).toContain('entry 9 does not follow')
    log.clock.day = 60
    await expect(pruneAll(log, 10)).rejects.toThrow()
    expect(await log.problem()).toContain('entry 9 does not follow')
  })

  test('records a removal of the own, and the end of the log after it', async () => {
    const log = await prunedLog()
    const { insert, head } = await forge(log, 5)
    await log.change(insert + head)
    expect(await log.problem()).toContain('entry 8 does not carry the seal')
    await log.append(25)
    log.clock.day = 60
    const { lines, close } = log.retention(10)
    await vi.advanceTimersByTimeAsync(twentyMinutes)
    await close()
    expect(lines).toEqual([expect.stringContaining('the audit log is broken, so that nothing is removed')])
    expect(await log.problem()).toContain('entry 9 does not carry the seal')
  })

  test('brings back what was removed', async () => {
    const log = await prunedLog()
    const { number, at, hash, previous_hash: previous } = log.removed
    await log.change(`INSERT INTO "AuditEntry" (${columns})
      VALUES (${number}, '${at!.replace('Z', '+00:00')}', 'export', 'cli', NULL, NULL, '${previous}', '${hash}', ${number})`)
    expect(await log.problem()).toBe('entry 3 was added')
  })
})

test('nothing that was not recorded as removed can be deleted', async () => {
  const log = await newLog()
  await log.append(0, 1, 2, 20)
  log.clock.day = 13
  await log.prune(10)
  for (const sql of ['DELETE FROM "AuditEntry" WHERE "number" = 2', 'DELETE FROM "AuditEntry"'])
    await expect(log.change(sql)).rejects.toThrow('the audit log only grows')
  expect(await log.problem()).toBeUndefined()
})
