import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import Sqlite from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { migrations, temporaryFolder } from '../../../test/support/folders.ts'
import { openTestPrisma } from '../../../test/support/open-prisma.ts'
import { DatabaseError } from '../errors.ts'
import type { Transaction } from '../prisma.ts'
import { createSqliteMigrator } from './migrate.ts'

async function setUp(timeoutMs = 5000) {
  const { folder, remove } = await temporaryFolder()
  onTestFinished(remove)
  const file = `${folder}/test.db`
  await createSqliteMigrator({ databaseFile: file, migrations, clock: () => new Date() }).apply()
  const writer = await openTestPrisma(file, timeoutMs)
  const other = new Sqlite(file)
  onTestFinished(() => void other.close())
  const slugs = () => other.prepare<[], string>('SELECT slug FROM Workspace ORDER BY createdAt').pluck().all()
  other.exec(`INSERT INTO Account (id, username, email, firstname, lastname, fullName, balance, currency, heading, description,
    contactEmail, socialLinks, avatar, cover, registeredAt) VALUES ('a', 'a', '', '', '', '', 0, 'USD', '', '', '', '{}', '', '', '')`)
  return { writer, other, slugs }
}

let seconds = 0
const insert = (slug: string) => (tx: Transaction) =>
  tx.workspace.create({
    data: {
      slug,
      name: slug,
      accountId: 'a',
      createdAt: new Date(Date.UTC(2024, 0, 1, 0, 0, seconds++)),
    },
  })

test('all of a transaction is written, or nothing', async () => {
  const { writer, slugs } = await setUp()
  await writer.transact(insert('first'))
  const failing = writer.transact(async (tx) => {
    await insert('second')(tx)
    throw new Error('changed its mind')
  })
  await expect(failing).rejects.toThrow('changed its mind')
  expect(slugs()).toEqual(['first'])
})

test('transactions take turns, also when one of them fails', async () => {
  const { writer, slugs } = await setUp()
  let running = 0
  const one = (slug: string) =>
    writer.transact(async (tx) => {
      expect(++running).toBe(1)
      await insert(slug)(tx)
      await sleep(5)
      running--
      if (slug === 'c') throw new Error('c')
    })
  const outcomes = await Promise.allSettled(['a', 'b', 'c', 'd', 'e'].map(one))
  expect(outcomes.map(({ status }) => status)).toEqual([
    'fulfilled',
    'fulfilled',
    'rejected',
    'fulfilled',
    'fulfilled',
  ])
  expect(slugs()).toEqual(['a', 'b', 'd', 'e'])
})

test('a lock is waited for, and nothing else of the process waits with it', async () => {
  const { writer, other, slugs } = await setUp()
  await writer.transact(insert('first'))
  other.exec('BEGIN IMMEDIATE')
  const delays = monitorEventLoopDelay({ resolution: 1 })
  delays.enable()
  const writing = writer.transact(insert('second'))
  const early = await Promise.race([writing, sleep(600).then(() => 'waiting')])
  delays.disable()
  expect(early).toBe('waiting')
  other.exec('COMMIT')
  await writing
  expect(slugs()).toEqual(['first', 'second'])
  // A wait for the lock would be all of the time.
  expect(delays.max / 1e6).toBeLessThan(500)
})

test('a lock that is held for too long leaves the answer unknown, and the next turn goes on', async () => {
  const { writer, other, slugs } = await setUp(300)
  await writer.transact(insert('first'))
  other.exec('BEGIN IMMEDIATE')
  const refused = await Promise.allSettled([
    writer.transact(insert('second')),
    writer.transact(insert('third')),
  ])
  expect(
    refused.map(
      (each) => each.status === 'rejected' && each.reason instanceof DatabaseError && each.reason.kind,
    ),
  ).toEqual(['busy', 'busy'])
  other.exec('COMMIT')
  await writer.transact(insert('fourth'))
  expect(slugs()).toEqual(['first', 'fourth'])
})

test('what waits for its turn does not wait for ever, and passes it on', async () => {
  const { writer, slugs } = await setUp(300)
  const { promise, resolve } = Promise.withResolvers<void>()
  const hanging = writer.transact(() => promise)
  await expect(writer.transact(insert('first'))).rejects.toMatchObject({ kind: 'busy' })
  resolve()
  await hanging
  await writer.transact(insert('second'))
  expect(slugs()).toEqual(['second'])
})

test('what was sent before SQLite took back a transaction by itself is not stored', async () => {
  const { writer, other, slugs } = await setUp()
  other.exec('CREATE TABLE Large (content)')
  const store = ({ run }: Transaction, slug: string) =>
    run(`INSERT INTO "Workspace" ("slug", "name", "accountId", "createdAt") VALUES ($1, $1, 'a', 0)`, slug)
  const full = writer.transact(async (tx) => {
    await store(tx, 'first')
    await tx.query('PRAGMA max_page_count = 1')
    const tooLarge = tx.run('INSERT INTO Large VALUES (zeroblob(1000000))')
    await Promise.all([tooLarge, store(tx, 'second'), store(tx, 'third')])
  })
  await expect(full).rejects.toMatchObject({ kind: 'full' })
  expect(slugs()).toEqual([])
})

test('what fails for another reason is not tried again', async () => {
  const { writer } = await setUp()
  let runs = 0
  const twice = writer.transact(async (tx) => {
    runs++
    await insert('same')(tx)
    await insert('same')(tx)
  })
  await expect(twice).rejects.toMatchObject({ kind: 'conflict' })
  expect(runs).toBe(1)
})
