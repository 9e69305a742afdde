import { createHash, createHmac, hkdfSync } from 'node:crypto'
import type { Client } from 'pg'
import { expect, inject, onTestFinished, test } from 'vitest'
import { verifyAudit } from '../../src/audit/read.ts'
import { openDatabase } from '../../src/open-database.ts'
import { secret } from '../support/database.ts'
import { migrations } from '../support/folders.ts'
import { load, ndjson } from '../support/harness.ts'
import { temporaryDatabase } from '../support/postgres-databases.ts'
import { spawnSaleproof } from '../support/process.ts'
import { codes, records } from '../support/records.ts'
import { connectTo, environmentFor } from './servers.ts'

// An operator of the server who may do anything there, but does not have the secret.

const open = (databaseUrl: string) =>
  openDatabase({
    databaseUrl,
    secret,
    cwd: '/',
    migrations,
    busyTimeoutMs: 50,
    clock: () => new Date(),
    migrate: 'always',
  })

const purchase = records.find((record) => 'purchase_code' in record && record.purchase_code === codes.active)!

/** A deployment with a log of eleven entries and more, whose triggers are gone. */
async function tamperedShop() {
  const { url, remove } = await temporaryDatabase(inject('postgresUrl'))
  onTestFinished(remove)
  const database = await open(url)
  onTestFinished(() => database.close())
  await load(database, records)
  for (const state of ['refunded', 'active']) await load(database, [{ ...purchase, state }])
  // What is not joined to the chain yet can be removed.
  await verifyAudit(database)
  const operator = await connectTo(url)
  await operator.query(`SET datestyle = 'ISO'`)
  await operator.query(
    'ALTER TABLE "AuditEntry" DISABLE TRIGGER USER; ALTER TABLE "AuditHead" DISABLE TRIGGER USER',
  )
  return { url, database, operator, problem: async () => (await verifyAudit(database)).problem }
}

const columns =
  '"number", "at", "action", "actor", "workspaceId", "subject", "previousHash", "hash", "position"'
const lastEntry = '(SELECT max("number") FROM "AuditEntry")'
const lastPlace = '(SELECT max("position") FROM "AuditEntry")'

const attacks: readonly (readonly [name: string, sql: string])[] = [
  ['an action is changed', `UPDATE "AuditEntry" SET "action" = 'export' WHERE "number" = 2`],
  ['an actor is changed', `UPDATE "AuditEntry" SET "actor" = 'admin-import' WHERE "number" = 1`],
  [
    'a time is moved by a millisecond',
    `UPDATE "AuditEntry" SET "at" = "at" + '1 ms'::interval WHERE "number" = 3`,
  ],
  ['a subject is taken away', `UPDATE "AuditEntry" SET "subject" = NULL WHERE "number" = 2`],
  [
    'a workspace is given to an entry that has none',
    `UPDATE "AuditEntry" SET "workspaceId" = 'w' WHERE "number" = 1`,
  ],
  ['a hash is changed', `UPDATE "AuditEntry" SET "hash" = reverse("hash") WHERE "number" = 4`],
  ['the first is removed', `DELETE FROM "AuditEntry" WHERE "number" = 1`],
  ['one in the middle is removed', `DELETE FROM "AuditEntry" WHERE "number" = 3`],
  [
    'one is removed, and those after it move up',
    `DELETE FROM "AuditEntry" WHERE "number" = 3;
    UPDATE "AuditEntry" SET "number" = -"number" + 1 WHERE "number" > 3; UPDATE "AuditEntry" SET "number" = -"number" WHERE "number" < 0`,
  ],
  [
    'the places of two are exchanged',
    `UPDATE "AuditEntry" SET "position" = -2 WHERE "position" = 2; UPDATE "AuditEntry" SET "position" = 2 WHERE "position" = 3;
    UPDATE "AuditEntry" SET "position" = 3 WHERE "position" = -2`,
  ],
  ['a place is taken away', `UPDATE "AuditEntry" SET "position" = NULL WHERE "position" = 3`],
  ['the last place is taken away', `UPDATE "AuditEntry" SET "position" = NULL WHERE "number" = ${lastEntry}`],
  [
    'two are exchanged',
    `UPDATE "AuditEntry" SET "number" = -2 WHERE "number" = 2;
    UPDATE "AuditEntry" SET "number" = 2 WHERE "number" = 3; UPDATE "AuditEntry" SET "number" = 3 WHERE "number" = -2`,
  ],
  ['the last is removed', `DELETE FROM "AuditEntry" WHERE "number" = ${lastEntry}`],
  ['the end is cut off', `DELETE FROM "AuditEntry" WHERE "number" > 2`],
  [
    'the end is cut off, and the head says so',
    `DELETE FROM "AuditEntry" WHERE "number" > 2;
    UPDATE "AuditHead" SET "count" = 2, "hash" = (SELECT "hash" FROM "AuditEntry" WHERE "number" = 2)`,
  ],
  ['all are removed', 'TRUNCATE "AuditEntry"'],
  [
    'all are removed, and the head says so',
    `TRUNCATE "AuditEntry"; UPDATE "AuditHead" SET "count" = 0, "hash" = ''`,
  ],
  [
    'all are removed, and the head is as a migration makes it',
    `TRUNCATE "AuditEntry";
    UPDATE "AuditHead" SET "count" = 0, "hash" = '', "identity" = '', "seal" = ''`,
  ],
  ['all are removed, and the head', 'TRUNCATE "AuditEntry"; TRUNCATE "AuditHead"'],
  ['the head is removed', 'DELETE FROM "AuditHead"'],
  ['the seal is removed', `UPDATE "AuditHead" SET "seal" = ''`],
  [
    'one is copied to the end',
    `INSERT INTO "AuditEntry" (${columns}) SELECT ${lastEntry} + 1, "at", "action", "actor", "workspaceId",
    "subject", "previousHash", "hash", ${lastPlace} + 1 FROM "AuditEntry" WHERE "number" = 2`,
  ],
  [
    'one is put before the first',
    `INSERT INTO "AuditEntry" (${columns}) SELECT 0, "at", "action", "actor", "workspaceId",
    "subject", '', "hash", 0 FROM "AuditEntry" WHERE "number" = 1`,
  ],
  [
    'one is added to be joined',
    `INSERT INTO "AuditEntry" (${columns}) SELECT ${lastEntry} + 1, "at", "action", "actor", "workspaceId",
    "subject", '', "hash", NULL FROM "AuditEntry" WHERE "number" = 2`,
  ],
  [
    'the deployment is said to be older',
    `UPDATE "Deployment" SET "createdAt" = "createdAt" - '1 day'::interval`,
  ],
]

interface Stored {
  number: number
  at: Date
  action: string
  actor: string
  workspaceId: string | null
  subject: string | null
  hash: string
}

const hashOf = ({ number, at, action, actor, workspaceId, subject }: Stored, previous: string) =>
  createHash('sha256')
    .update(
      JSON.stringify(['entry', number, at.toISOString(), action, actor, workspaceId, subject, previous]),
    )
    .digest('base64url')

/** Changes an entry, and makes the hashes of it and of all after it right again. */
async function rechain(
  operator: Client,
  keep: (entry: Stored) => boolean,
): Promise<{ count: number; hash: string }> {
  const { rows } = await operator.query<Stored>(`SELECT ${columns} FROM "AuditEntry" ORDER BY "number"`)
  await operator.query('TRUNCATE "AuditEntry"')
  let last = { count: 0, hash: '' }
  for (const row of rows.filter(keep)) {
    const entry = { ...row, number: last.count + 1 }
    const hash = hashOf(entry, last.hash)
    await operator.query(
      `INSERT INTO "AuditEntry" (${columns}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $1)`,
      [entry.number, entry.at, entry.action, entry.actor, entry.workspaceId, entry.subject, last.hash, hash],
    )
    last = { count: entry.number, hash }
  }
  return last
}

/** Keys that an operator could try: everything secret-like that the database holds, and what a careless program would use. */
async function guessedKeys(operator: Client) {
  const { rows } = await operator.query('SELECT "identity", "secretCheck" FROM "Deployment"')
  const { rows: keys } = await operator.query('SELECT "keyHash" FROM "ApiKey" LIMIT 1')
  const texts = ['', 'secret', 'saleproof', 'audit', rows[0].identity, rows[0].secretCheck, keys[0].keyHash]
  return texts.flatMap((text) => [
    Buffer.from(text),
    Buffer.from(text, 'base64url'),
    createHash('sha256').update(text).digest(),
    Buffer.from(hkdfSync('sha256', text, '', 'audit', 32)),
  ])
}

async function sealWith(operator: Client, key: Buffer, { count, hash }: { count: number; hash: string }) {
  const { rows } = await operator.query('SELECT "identity", "createdAt" FROM "Deployment"')
  const { identity, createdAt } = rows[0]
  const text = JSON.stringify(['head', createdAt.toISOString(), identity, count, hash])
  const seal = createHmac('sha256', key).update(text).digest('base64url')
  await operator.query('UPDATE "AuditHead" SET "count" = $1, "hash" = $2, "identity" = $3, "seal" = $4', [
    ...[count, hash, identity, seal],
  ])
}

test('each change to the log is found, and stays found when more is recorded', async () => {
  const { database, operator, problem } = await tamperedShop()
  expect(await problem()).toBeUndefined()
  await operator.query(`CREATE TABLE kept_entry AS TABLE "AuditEntry"; CREATE TABLE kept_head AS TABLE "AuditHead";
    CREATE TABLE kept_deployment AS SELECT "createdAt" FROM "Deployment"`)
  const found: Record<string, boolean[]> = {}
  let state = 0
  for (const [name, sql] of attacks) {
    await operator.query(sql)
    const before = await problem()
    await load(database, [{ ...purchase, state: state++ % 2 ? 'active' : 'refunded' }])
    found[name] = [before, await problem()].map((text) => text?.startsWith('entry ') ?? false)
    await operator.query(`TRUNCATE "AuditEntry", "PurchaseChange"; INSERT INTO "AuditEntry" TABLE kept_entry; DELETE FROM "AuditHead";
      INSERT INTO "AuditHead" TABLE kept_head; UPDATE "Deployment" SET "createdAt" = (TABLE kept_deployment)`)
    expect(await problem(), name).toBeUndefined()
  }
  expect(found).toEqual(Object.fromEntries(attacks.map(([name]) => [name, [true, true]])))
})

test('a log without one entry whose hashes are right and whose end is sealed with a guessed key is found', async () => {
  const { operator, problem } = await tamperedShop()
  const last = await rechain(operator, ({ number }) => number !== 3)
  for (const key of await guessedKeys(operator)) {
    await sealWith(operator, key, last)
    expect(await problem()).toContain('does not carry the seal of this deployment')
  }
})

test('the command names the entry and fails, and the service goes on and records', async () => {
  const { url, operator } = await tamperedShop()
  await operator.query(`DELETE FROM "AuditEntry" WHERE "number" = 3`)
  const verify = () => spawnSaleproof(['audit', 'verify'], { cwd: '/', env: environmentFor(url) })
  expect(await verify()).toMatchObject({ code: 1, stderr: expect.stringContaining('entry 3 is missing') })
  const refund = ndjson([{ ...purchase, state: 'refunded' }])
  expect(
    await spawnSaleproof(['import', '-'], { cwd: '/', env: environmentFor(url), input: refund }),
  ).toMatchObject({
    code: 0,
  })
  expect(await verify()).toMatchObject({ code: 1, stderr: expect.stringContaining('entry 3 is missing') })
})

test('a log that began again, because the deployment was removed with it, is found', async () => {
  const { url, operator } = await tamperedShop()
  await operator.query('TRUNCATE "AuditEntry"; TRUNCATE "AuditHead"; TRUNCATE "Deployment"')
  await operator.query(`INSERT INTO "AuditHead" VALUES (1, 0, '', '', '')`)
  const again = await open(url)
  onTestFinished(() => again.close())
  expect((await verifyAudit(again)).problem).toContain('does not carry the seal of this deployment')
  await load(again, [{ ...purchase, state: 'refunded' }])
  expect((await verifyAudit(again)).problem).toContain('does not carry the seal of this deployment')
})
