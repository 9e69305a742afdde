import { pino } from 'pino'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { listAudit } from '../../src/domain/audit-list.ts'
import { appendAudit } from '../../src/domain/audit-log.ts'
import { createAuditRetention, pruneAudit } from '../../src/domain/audit-retention.ts'
import { openDatabase } from '../../src/open-database.ts'
import { databaseUrlIn, secret } from '../support/database.ts'
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
  const { database, close } = await openDatabase({
    databaseUrl: await databaseUrlIn(folder),
    secret,
    cwd: folder,
    migrations,
    busyTimeoutMs: 5000,
    clock: now,
    migrate: 'always',
  })
  onTestFinished(async () => {
    await close()
    await remove()
  })
  async function append(...days: number[]) {
    for (const day of days)
      await database.transact((sql) =>
        appendAudit(sql, { at: new Date(start + day * dayMs), action: 'export', actor: 'cli' }),
      )
  }
  return {
    database,
    clock,
    append,
    prune: (days: number) => pruneAudit(database, days, now()),
    numbers: async () => (await listAudit(database, { limit: 100_000 })).map(({ number }) => number),
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
async function pruneAll({ prune }: Log, days: number) {
  for (let removed = 1; removed > 0; ) removed = await prune(days)
}

test('entries of more days ago are removed, one day at a time', async () => {
  const log = await newLog()
  await log.append(0, 0.5, 1, 2, 3)
  log.clock.day = 12.3
  expect(await log.prune(10)).toBe(2)
  expect(await log.prune(10)).toBe(1)
  expect(await log.prune(10)).toBe(0)
  expect(await log.numbers()).toEqual([4, 5])
})

test('a log whose entries are all old goes on', async () => {
  const log = await newLog()
  await log.append(0, 1, 2)
  log.clock.day = 100
  await pruneAll(log, 10)
  expect(await log.numbers()).toEqual([])
  await log.append(100)
  expect(await log.numbers()).toEqual([4])
})

test('two processes that remove at once count each entry once', async () => {
  const log = await newLog()
  await log.append(...Array.from({ length: 450 }, (_, index) => index / 1000), 1.5)
  log.clock.day = 12
  const [one, other] = await Promise.all([log.prune(10), log.prune(10)])
  const left = await log.numbers()
  expect(one + other).toBe(451 - left.length)
  // Whether the second looks before or after the first has removed its day.
  expect([[451], []]).toContainEqual(left)
})

test('an entry of a clock that was years ahead does not keep others', async () => {
  const log = await newLog()
  await log.append(0, 20_000, 1, 20_001, 30)
  log.clock.day = 31
  await pruneAll(log, 10)
  expect(await log.numbers()).toEqual([2, 4, 5])
})

test('the service looks three times an hour, removes one day each time, and says what it removed', async () => {
  const log = await newLog()
  await log.append(0, 0.1, 1)
  log.clock.day = 12
  const { lines, close } = log.retention(10)
  await vi.advanceTimersByTimeAsync(twentyMinutes)
  await close()
  expect(lines.map((line) => JSON.parse(line).removed)).toEqual([2])
  expect(await log.numbers()).toEqual([3])
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
