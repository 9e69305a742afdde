import { fork } from 'node:child_process'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { clock, newDatabase, type StoredEntry } from '../../test/support/audit-database.ts'
import { inTransaction } from '../db/prisma.ts'
import { runStepsIn } from '../db/sqlite/connection.ts'
import { appendAudit, createRecorder } from './append.ts'

import { type AuditEvent, hashEntry, isGenuine, purchaseSubject } from './chain.ts'
import { appendEvents, readHead, readHome } from './steps.ts'

const event: AuditEvent = { at: clock(), action: 'key.created', actor: 'cli', workspaceId: 'w', subject: 'k' }
const bare: AuditEvent = { at: clock(), action: 'export', actor: 'console:a' }
const odd: AuditEvent = { at: clock(), action: 'import', actor: 'a","b', subject: '\ud800 "\n é ], null' }

const isChain = (entries: readonly StoredEntry[]) =>
  entries.every(
    ({ hash, ...entry }, index) =>
      entry.number === index + 1 &&
      entry.position === index + 1 &&
      entry.previousHash === (entries[index - 1]?.hash ?? '') &&
      hash === hashEntry({ ...entry, at: new Date(entry.at) }),
  )

test('both ways of appending write the same chain, and a head that is sealed', async () => {
  const one = await newDatabase({ secret: 's'.repeat(32) })
  const other = await newDatabase({ secret: 's'.repeat(32) })
  for (const each of [event, bare, odd])
    await inTransaction(one.database.prisma, (tx) => appendAudit(tx, each, one.database.vault))
  other.sql((sqlite) =>
    sqlite
      .transaction(() => runStepsIn(sqlite, appendEvents([event, bare, odd], other.database.vault)))
      .immediate(),
  )
  expect(one.entries()).toEqual(other.entries())
  expect(one.entries().map(({ action }) => action)).toEqual(['key.created', 'export', 'import'])
  expect(isChain(one.entries())).toBe(true)
  for (const { sql, database } of [one, other])
    sql((sqlite) => {
      const head = runStepsIn(sqlite, readHead())!
      expect(head).toMatchObject({ count: 3, hash: one.entries()[2]!.hash })
      expect(isGenuine(head, runStepsIn(sqlite, readHome())!, database.vault)).toBe(true)
    })
})

test('what is rolled back is not recorded, and leaves no gap', async () => {
  const { database, entries } = await newDatabase()
  const failing = inTransaction(database.prisma, async (tx) => {
    await appendAudit(tx, event, database.vault)
    throw new Error('rolled back')
  })
  await expect(failing).rejects.toThrow('rolled back')
  expect(entries()).toEqual([])
  const record = createRecorder({ vault: database.vault, clock, actor: 'cli' })
  await inTransaction(database.prisma, (tx) => record(tx, { action: 'backup' }))
  expect(entries()).toMatchObject([
    { number: 1, action: 'backup', actor: 'cli', at: expect.stringMatching(/^2026-03-01T12:00:00.123/) },
  ])
})

test('processes that write at once wait for each other', async () => {
  const { folder, entries } = await newDatabase()
  const writers = Array.from({ length: 3 }, (_, index) =>
    fork(new URL('../../test/support/audit-writer.ts', import.meta.url), [folder, `console:${index}`, '20'], {
      execArgv: ['--conditions=@saleproof/source'],
    }),
  )
  const codes = await Promise.all(writers.map(async (writer) => (await once(writer, 'exit'))[0]))
  expect(codes).toEqual([0, 0, 0])
  expect(entries()).toHaveLength(60)
  expect(isChain(entries())).toBe(true)
})

test('nothing is changed or removed, whatever statement asks for it', async () => {
  const { database, sql, entries } = await newDatabase()
  for (const each of [event, bare])
    await inTransaction(database.prisma, (tx) => appendAudit(tx, each, database.vault))
  const before = entries()
  const columns = Object.keys(before[0]!).join(', ')
  const statements = [
    `UPDATE AuditEntry SET actor = 'x' WHERE number = 1`,
    'UPDATE AuditEntry SET number = 7 WHERE number = 2',
    'UPDATE AuditEntry SET position = NULL WHERE number = 2',
    'UPDATE AuditEntry SET position = 3 WHERE number = 2',
    'DELETE FROM AuditEntry WHERE number = 2',
    'DELETE FROM AuditEntry',
    `INSERT OR REPLACE INTO AuditEntry (${columns}) SELECT ${columns} FROM AuditEntry WHERE number = 1`,
    `INSERT INTO AuditEntry VALUES (0, 'x', 'x', 'x', 'x', 'x', 'x', 'x', NULL)`,
    'DELETE FROM AuditHead',
    'UPDATE AuditHead SET count = 1',
  ]
  for (const statement of statements)
    expect(() => sql((sqlite) => sqlite.exec(statement)), statement).toThrow('the audit log only grows')
  await expect(database.prisma.auditEntry.deleteMany()).rejects.toThrow()
  expect(entries()).toEqual(before)
})

test('a purchase is known by who has its code and the secret', async () => {
  const { database } = await newDatabase()
  const { vault } = database
  const subject = purchaseSubject(vault, 'w', 'AAAA-BBBB')
  expect(subject).toMatch(/^[\w-]{43}$/)
  expect(purchaseSubject(vault, 'w', 'AAAA-BBBB')).toBe(subject)
  const others = [
    purchaseSubject(vault, 'v', 'AAAA-BBBB'),
    purchaseSubject(vault, 'w', 'AAAA-BBBC'),
    purchaseSubject((await newDatabase()).database.vault, 'w', 'AAAA-BBBB'),
  ]
  for (const other of others) expect(other).not.toBe(subject)
})
