import type { Database } from 'better-sqlite3'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { clock, newDatabase, type StoredEntry } from '../../test/support/audit-database.ts'
import { inTransaction } from '../db/prisma.ts'
import { runStepsIn } from '../db/sqlite/connection.ts'
import { appendAudit } from './append.ts'
import { type AuditEvent, hashEntry } from './chain.ts'
import { checkAudit, verifyAudit } from './read.ts'

const events: readonly AuditEvent[] = [
  { at: clock(), action: 'workspace.created', actor: 'cli', workspaceId: 'w' },
  { at: clock(), action: 'key.created', actor: 'cli', workspaceId: 'w', subject: 'k1' },
  { at: clock(), action: 'key.shown', actor: 'console:a', workspaceId: 'w', subject: 'k1' },
  { at: clock(), action: 'login.failed', actor: 'console:a' },
  { at: clock(), action: 'key.revoked', actor: 'console:a', workspaceId: 'w', subject: 'k1' },
  { at: clock(), action: 'import', actor: 'admin-import', subject: 'purchase 3+0' },
]

/** A deployment with a log, and attacks by a writer of its file who does not have its secret. */
async function withLog(options: Parameters<typeof newDatabase>[0] = {}) {
  const made = await newDatabase(options)
  const { database, sql } = made
  const append = (event: AuditEvent) =>
    inTransaction(database.prisma, (tx) => appendAudit(tx, event, database.vault))
  for (const event of events) await append(event)
  sql(withoutTriggers)
  const problem = async () => {
    const { problem: found } = await verifyAudit(database)
    expect(sql((sqlite) => runStepsIn(sqlite, checkAudit(database.vault))).problem).toBe(found)
    return found
  }
  return { ...made, append, problem, tamper: (script: string) => sql((sqlite) => sqlite.exec(script)) }
}

function withoutTriggers(sqlite: Database) {
  const names = sqlite
    .prepare<[], string>(`SELECT name FROM sqlite_schema WHERE type = 'trigger' AND tbl_name LIKE 'Audit%'`)
    .pluck()
    .all()
  for (const name of names) sqlite.exec(`DROP TRIGGER "${name}"`)
}

const columns = [
  'number',
  'at',
  'action',
  'actor',
  'workspaceId',
  'subject',
  'previousHash',
  'hash',
  'position',
] as const

function write(sqlite: Database, entries: readonly StoredEntry[]) {
  sqlite.exec('DELETE FROM AuditEntry')
  const insert = sqlite.prepare(
    `INSERT INTO AuditEntry (${columns.join(', ')}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  for (const entry of entries) insert.run(...columns.map((column) => entry[column]))
}

const rehashed = (entry: StoredEntry) => ({
  ...entry,
  hash: hashEntry({ ...entry, at: new Date(entry.at) })!,
})

/** The chain with numbers and hashes that are right for what the entries say now. */
function rechained(entries: readonly StoredEntry[]): StoredEntry[] {
  const result: StoredEntry[] = []
  for (const entry of entries) {
    const place = result.length + 1
    const moved = { ...entry, number: place, position: place, previousHash: result.at(-1)?.hash ?? '' }
    result.push(rehashed(moved))
  }
  return result
}

const headOf = (entries: readonly StoredEntry[]) =>
  `UPDATE AuditHead SET count = ${entries.length}, hash = '${entries.at(-1)?.hash ?? ''}'`

test('an untouched log is intact, also an empty one', async () => {
  expect((await verifyAudit((await newDatabase()).database)).problem).toBeUndefined()
  const { problem } = await withLog()
  expect(await problem()).toBeUndefined()
})

test.each<[string, string, string]>([
  ['an action', `UPDATE AuditEntry SET action = 'export' WHERE number = 3`, 'entry 3 was changed'],
  ['an actor', `UPDATE AuditEntry SET actor = 'cli' WHERE number = 3`, 'entry 3 was changed'],
  [
    'a time',
    `UPDATE AuditEntry SET at = '2026-03-01T12:00:00.124+00:00' WHERE number = 1`,
    'entry 1 was changed',
  ],
  ['no time', `UPDATE AuditEntry SET at = 'yesterday' WHERE number = 1`, 'entry 1 was changed'],
  ['a subject taken away', 'UPDATE AuditEntry SET subject = NULL WHERE number = 2', 'entry 2 was changed'],
  [
    'a member moved to the next',
    `UPDATE AuditEntry SET workspaceId = NULL, subject = 'w' WHERE number = 1`,
    'entry 1 was changed',
  ],
  ['a number', 'UPDATE AuditEntry SET number = 9 WHERE number = 6', 'entry 6 was changed'],
  ['a place', 'UPDATE AuditEntry SET position = 9 WHERE position = 6', 'entry 6 is missing'],
  ['no place', 'UPDATE AuditEntry SET position = NULL WHERE position = 6', 'entry 6 is missing'],
  ['a hash', `UPDATE AuditEntry SET hash = upper(hash) WHERE number = 6`, 'entry 6 was changed'],
  ['one in the middle dropped', 'DELETE FROM AuditEntry WHERE number = 3', 'entry 3 is missing'],
  ['the first dropped', 'DELETE FROM AuditEntry WHERE number = 1', 'entry 1 is missing'],
  ['the last dropped', 'DELETE FROM AuditEntry WHERE number = 6', 'entry 6 is missing: there were 6'],
  ['the tail dropped', 'DELETE FROM AuditEntry WHERE number > 2', 'entry 3 is missing: there were 6'],
  ['all dropped', 'DELETE FROM AuditEntry', 'entry 1 is missing: there were 6'],
  [
    'all dropped, and the end set to the beginning',
    `DELETE FROM AuditEntry; UPDATE AuditHead SET count = 0, hash = ''`,
    'entry 0 does not carry the seal',
  ],
  [
    'all dropped, and the end as before the first start',
    `DELETE FROM AuditEntry; UPDATE AuditHead SET count = 0, hash = '', identity = '', seal = ''`,
    'entry 0 does not carry the seal',
  ],
  [
    'all of both tables dropped',
    'DELETE FROM AuditEntry; DELETE FROM AuditHead',
    'the end of the log is not noted',
  ],
  ['only the end dropped', 'DELETE FROM AuditHead', 'the end of the log is not noted'],
  [
    'the tail dropped with its end',
    `DELETE FROM AuditEntry WHERE number > 4;
     UPDATE AuditHead SET count = 4, hash = (SELECT hash FROM AuditEntry WHERE number = 4)`,
    'entry 4 does not carry the seal',
  ],
  [
    'two swapped',
    `UPDATE AuditEntry SET position = -2 WHERE position = 2; UPDATE AuditEntry SET position = 2 WHERE position = 3;
     UPDATE AuditEntry SET position = 3 WHERE position = -2`,
    'entry 2 does not follow',
  ],
  [
    'the numbers of two swapped',
    `UPDATE AuditEntry SET number = -2 WHERE number = 2; UPDATE AuditEntry SET number = 2 WHERE number = 3;
     UPDATE AuditEntry SET number = 3 WHERE number = -2`,
    'entry 2 was changed',
  ],
  [
    'one added before the first',
    `INSERT INTO AuditEntry SELECT 0, at, action, actor, workspaceId, subject, '', hash, 0 FROM AuditEntry WHERE number = 1`,
    'entry 0 was added',
  ],
  [
    'one added at the end',
    `INSERT INTO AuditEntry SELECT 7, at, action, actor, workspaceId, subject, hash, hash, 7 FROM AuditEntry WHERE number = 6`,
    'entry 7 was changed',
  ],
  [
    'one added that is not joined yet',
    `INSERT INTO AuditEntry SELECT 7, at, action, actor, workspaceId, subject, '', hash, NULL FROM AuditEntry WHERE number = 6`,
    'entry 7 was changed',
  ],
  ['another seal', `UPDATE AuditHead SET seal = 'x'`, 'entry 6 does not carry the seal'],
  ['another count', 'UPDATE AuditHead SET count = 5', 'entry 6 was added: there were 5'],
  [
    'another birth of the deployment',
    `UPDATE Deployment SET createdAt = '2020-03-01T12:00:00.123+00:00'`,
    'entry 6 does not carry the seal',
  ],
])('%s', async (_, script, message) => {
  const { tamper, problem } = await withLog()
  tamper(script)
  expect(await problem()).toContain(message)
})

describe('with hashes that are right', () => {
  test('an entry that was added at the end', async () => {
    const { sql, entries, problem } = await withLog()
    const forged = rechained([...entries(), entries()[1]!])
    sql((sqlite) => write(sqlite, forged))
    expect(await problem()).toBe('entry 7 was added: there were 6')
    sql((sqlite) => sqlite.exec(headOf(forged)))
    expect(await problem()).toContain('entry 7 does not carry the seal')
  })

  test('a chain that was rewritten as a whole', async () => {
    const { sql, entries, problem } = await withLog()
    const forged = rechained(entries().map((entry) => ({ ...entry, actor: 'cli' })))
    sql((sqlite) => write(sqlite, forged))
    expect(await problem()).toContain('entry 6 is not the one that was recorded')
    sql((sqlite) => sqlite.exec(headOf(forged)))
    expect(await problem()).toContain('entry 6 does not carry the seal')
  })
})

test.each([
  ['another secret', undefined],
  ['the same secret', 's'.repeat(32)],
])('the log of another sqlite with %s', async (_, secret) => {
  const at = () => new Date('2025-01-01T00:00:00Z')
  const [own, other] = [
    await withLog({ ...(secret && { secret }) }),
    await withLog({ ...(secret && { secret }), at }),
  ]
  own.tamper(`DELETE FROM AuditEntry; DELETE FROM AuditHead; ATTACH '${other.file}' AS other;
    INSERT INTO AuditEntry SELECT * FROM other.AuditEntry; INSERT INTO AuditHead SELECT * FROM other.AuditHead;`)
  expect(await own.problem()).toContain('does not carry the seal of this deployment')
  // The next start takes it for a restored backup: that must not make it good.
  const { vault } = await own.open()
  expect(own.sql((sqlite) => runStepsIn(sqlite, checkAudit(vault))).problem).toContain(
    'does not carry the seal',
  )
})

test('a log that began again, because the deployment was removed with it', async () => {
  const { tamper, open, sql } = await withLog()
  tamper(`INSERT INTO Account VALUES ('a', 'ada', 'ada@example.com', 'Ada', 'Lima', 'Ada Lima', 0, 'USD', '', '', '', '{}', '', '',
    '2026-03-01T12:00:00.123+00:00', NULL)`)
  tamper(`DELETE FROM AuditEntry; DELETE FROM AuditHead; DELETE FROM Deployment;
    INSERT INTO AuditHead VALUES (1, 0, '', '', '')`)
  const { vault } = await open()
  expect(sql((sqlite) => runStepsIn(sqlite, checkAudit(vault))).problem).toContain('does not carry the seal')
})

test('entries after tampering do not hide it', async () => {
  const scripts = [
    'DELETE FROM AuditEntry WHERE number > 3',
    'DELETE FROM AuditEntry; DELETE FROM AuditHead',
    `UPDATE AuditHead SET count = 2, hash = (SELECT hash FROM AuditEntry WHERE number = 2)`,
    `INSERT INTO AuditEntry SELECT 7, at, action, actor, workspaceId, subject, hash, hash, 7 FROM AuditEntry WHERE number = 6`,
    `UPDATE AuditHead SET seal = '', identity = ''`,
  ]
  for (const script of scripts) {
    const { tamper, append, problem, open } = await withLog()
    tamper(script)
    expect(await problem(), script).toBeDefined()
    await append(events[0]!)
    await open()
    await append(events[1]!)
    expect(await problem(), script).toBeDefined()
  }
})

test('an older state of both tables is whole, and noticed by who noted a later entry', async () => {
  const { sql, file, append, database, problem } = await withLog()
  const old = `${file}.old`
  sql((sqlite) => sqlite.prepare('VACUUM INTO ?').run(old))
  await append(events[1]!)
  const { last } = await verifyAudit(database)
  expect(last.position).toBe(7)
  expect((await verifyAudit(database, { noted: last })).problem).toBeUndefined()
  sql((sqlite) =>
    sqlite.exec(`DELETE FROM AuditEntry; DELETE FROM AuditHead; ATTACH '${old}' AS old;
      INSERT INTO AuditEntry SELECT * FROM old.AuditEntry; INSERT INTO AuditHead SELECT * FROM old.AuditHead;`),
  )
  expect(await problem()).toBeUndefined()
  expect((await verifyAudit(database, { noted: last })).problem).toBe(
    'entry 7 is missing: 7 was noted, and the log ends before',
  )
  await append(events[2]!)
  expect(await problem()).toBeUndefined()
  expect((await verifyAudit(database, { noted: last })).problem).toBe('entry 7 is not the one that was noted')
})

const text = fc.string({ unit: 'binary', maxLength: 12 }).filter((value) => !value.includes('\0'))
const entry = fc.record({
  number: fc.integer({ min: -1, max: 9 }),
  at: fc.oneof(
    text,
    fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
  ),
  action: fc.constantFrom('export', 'login', 'key.shown'),
  actor: text,
  workspaceId: fc.option(text),
  subject: fc.option(text),
  previousHash: text,
  hash: text,
  position: fc.option(fc.integer({ min: -1, max: 9 })),
})

const change = fc.oneof(
  fc.record({
    kind: fc.constant('edit' as const),
    index: fc.nat(5),
    column: fc.constantFrom(...columns),
    entry,
  }),
  fc.record({ kind: fc.constant('drop' as const), index: fc.nat(5) }),
  fc.record({ kind: fc.constant('insert' as const), index: fc.nat(6), entry }),
  fc.record({ kind: fc.constant('swap' as const), index: fc.nat(5), other: fc.nat(5) }),
  fc.record({ kind: fc.constant('copy' as const), index: fc.nat(5), other: fc.nat(6) }),
)

type Change = typeof change extends fc.Arbitrary<infer T> ? T : never

function changed(entries: readonly StoredEntry[], each: Change): StoredEntry[] {
  const next = [...entries]
  const { kind, index } = each
  if (kind === 'drop') next.splice(index, 1)
  if (kind === 'insert') next.splice(index, 0, each.entry)
  if (kind === 'edit' && next[index]) next[index] = { ...next[index], [each.column]: each.entry[each.column] }
  if (kind === 'copy' && next[index]) next.splice(each.other, 0, next[index])
  if (kind === 'swap' && next[index] && next[each.other])
    [next[index], next[each.other]] = [next[each.other]!, next[index]!]
  return next
}

test('whatever is done to the entries is noticed, by whom it may be, with right hashes and end or without', async () => {
  const { sql, database, entries } = await withLog()
  const original = entries()
  const verdict = () => sql((sqlite) => runStepsIn(sqlite, checkAudit(database.vault))).problem
  const same = (list: readonly StoredEntry[]) => JSON.stringify(list) === JSON.stringify(original)
  const changes = fc.array(change, { minLength: 1, maxLength: 4 })
  const repair = fc.constantFrom('nothing', 'numbers', 'own hashes', 'hashes', 'end')
  await fc.assert(
    fc.property(changes, repair, (list, repaired) => {
      let forged = list.reduce(changed, original)
      if (repaired === 'numbers')
        forged = forged.map((each, index) => ({ ...each, number: index + 1, position: index + 1 }))
      if (repaired === 'own hashes' || repaired === 'hashes' || repaired === 'end') {
        fc.pre(forged.every(({ at }) => !Number.isNaN(Date.parse(at))))
        forged = repaired === 'own hashes' ? forged.map(rehashed) : rechained(forged)
      }
      fc.pre(new Set(forged.map(({ number }) => number)).size === forged.length)
      const positions = forged.flatMap(({ position }) => position ?? [])
      fc.pre(new Set(positions).size === positions.length)
      forged = forged.toSorted((a, b) => a.number - b.number)
      fc.pre(!same(forged))
      sql((sqlite) => {
        write(sqlite, forged)
        if (repaired === 'end') sqlite.exec(headOf(forged))
      })
      expect(verdict()).toMatch(/^entry -?\d+ /)
      sql((sqlite) => {
        write(sqlite, original)
        sqlite.exec(headOf(original))
      })
      expect(verdict()).toBeUndefined()
    }),
    { numRuns: 300 },
  )
})
