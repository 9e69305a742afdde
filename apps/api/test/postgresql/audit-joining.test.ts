import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import type { Client } from 'pg'
import { expect, inject, onTestFinished, test } from 'vitest'
import { verifyAudit } from '../../src/audit/read.ts'
import { openDatabase } from '../../src/open-database.ts'
import { eventually, importRecords } from '../faults/serving.ts'
import { secret } from '../support/database.ts'
import { migrations } from '../support/folders.ts'
import { chunks, load, ndjson } from '../support/harness.ts'
import { temporaryDatabase } from '../support/postgres-databases.ts'
import { records } from '../support/records.ts'
import { startInstance } from './instance.ts'
import { connectTo } from './servers.ts'

// Entries of the audit log are recorded without a lock, and joined to the chain later.

const timeout = 120_000

const openToClose = (databaseUrl: string) =>
  openDatabase({
    databaseUrl,
    secret,
    cwd: '/',
    migrations,
    busyTimeoutMs: 5000,
    clock: () => new Date(),
    migrate: 'always',
  })

async function open(databaseUrl: string) {
  const database = await openToClose(databaseUrl)
  onTestFinished(() => database.close())
  return database
}

async function newShop(more: readonly object[] = []) {
  const { url, remove } = await temporaryDatabase(inject('postgresUrl'))
  onTestFinished(remove)
  const database = await open(url)
  await load(database, [...records, ...more])
  return { url, database, operator: await connectTo(url) }
}

const template = (type: string) => records.find((record) => (record as { type: string }).type === type)!
const [purchase, item] = [template('purchase'), template('item')]

const sale = (id: number, purchase_code: string, state = 'active') => ({
  ...purchase,
  item: id,
  purchase_code,
  state,
})

interface Place {
  number: number
  position: number | null
}

const placesIn = async (operator: Client) =>
  (await operator.query<Place>('SELECT "number", "position" FROM "AuditEntry" ORDER BY "position"')).rows

const unjoinedIn = async (operator: Client) =>
  (await placesIn(operator)).filter(({ position }) => position === null).length

/** From 1 on without a gap, each entry in one place. */
const wholeChain = (count: number) => Array.from({ length: count }, (_, index) => index + 1)

const workspaces = Array.from({ length: 8 }, (_, index) => ({
  slug: `shop-${index}`,
  item: 5000 + index,
}))

const market = workspaces.flatMap(({ slug, item: id }) => [
  { type: 'workspace', slug, name: slug, owner: 'ada' },
  { ...item, workspace: slug, id, url: `https://example.com/items/${id}` },
])

/** What one writer does, one after the other: sales, changes of them, and pauses. */
const plan = fc.array(
  fc.record({
    workspace: fc.nat(workspaces.length - 1),
    instance: fc.nat(3),
    code: fc.nat(9),
    state: fc.constantFrom('active', 'refunded', 'revoked'),
    pauseMs: fc.constantFrom(0, 0, 0, 5, 60),
  }),
  { minLength: 5, maxLength: 12 },
)

test(
  'whatever 8 workspaces write on four instances at once, each entry is joined once, and the chain is whole',
  async () => {
    const { url, database, operator } = await newShop(market)
    const instances = [database, await open(url), await open(url), await open(url)]
    const writers = fc.array(plan, { minLength: 8, maxLength: 8 })
    let round = 0
    await fc.assert(
      fc.asyncProperty(writers, async (plans) => {
        const prefix = `R${round++}`
        await Promise.all(
          plans.map(async (steps) => {
            for (const { workspace, instance, code, state, pauseMs } of steps) {
              const record = sale(workspaces[workspace]!.item, `${prefix}-CODE-OF-A-SALE-${code}`, state)
              const source = chunks(ndjson([record]))
              await instances[instance]!.importWhileServing({ source, now: () => new Date() })
              await sleep(pauseMs)
            }
          }),
        )
        const verified = await Promise.all(instances.map((each) => verifyAudit(each)))
        expect(verified.map(({ problem }) => problem)).toEqual([undefined, undefined, undefined, undefined])
        const places = await placesIn(operator)
        expect(places.map(({ position }) => position)).toEqual(wholeChain(places.length))
        const { rows } = await operator.query(
          `SELECT count(*)::int AS lost FROM "Purchase" p LEFT JOIN "AuditEntry" e ON e."number" = p."createdEntry"
           WHERE p."code" LIKE '${prefix}-%' AND (e."number" IS NULL OR e."workspaceId" <> p."workspaceId")`,
        )
        expect(rows).toEqual([{ lost: 0 }])
      }),
      { numRuns: 6, seed: 20_261_122 },
    )
  },
  timeout,
)

/** Lets no process join entries until the result is called. */
async function holdChain(url: string) {
  const holder = await connectTo(url)
  await holder.query('BEGIN; SELECT 1 FROM "AuditHead" FOR UPDATE')
  return () => holder.query('COMMIT')
}

test(
  'what a process recorded that was killed before it joined it is joined by another one',
  async () => {
    const { url, database, operator } = await newShop()
    expect((await verifyAudit(database)).problem).toBeUndefined()
    const instance = await startInstance(url)
    const release = await holdChain(url)
    expect((await importRecords(instance.url, [sale(101, 'KILLED-BEFORE-IT-JOINED')])).status).toBe(200)
    instance.signal('SIGKILL')
    await instance.done
    await release()
    expect(await unjoinedIn(operator)).toBe(1)
    // The next start.
    await startInstance(url)
    await eventually(async () => (await unjoinedIn(operator)) === 0, 10_000)
    expect((await verifyAudit(database)).problem).toBeUndefined()
  },
  timeout,
)

test(
  'a process that ends joins what it recorded',
  async () => {
    const { url, operator } = await newShop()
    const database = await openToClose(url)
    await load(database, [sale(101, 'RECORDED-BEFORE-IT-ENDS')])
    await database.close()
    expect(await unjoinedIn(operator)).toBe(0)
  },
  timeout,
)

const attacks: readonly (readonly [name: string, sql: string])[] = [
  ['an action is changed', `UPDATE "AuditEntry" SET "action" = 'login' WHERE "position" IS NULL`],
  ['a time is moved', `UPDATE "AuditEntry" SET "at" = "at" - '1 ms'::interval WHERE "position" IS NULL`],
  ['a workspace is taken away', `UPDATE "AuditEntry" SET "workspaceId" = NULL WHERE "position" IS NULL`],
  ['a number is changed', `UPDATE "AuditEntry" SET "number" = "number" + 100 WHERE "position" IS NULL`],
  [
    'one is added with the hash that it will have',
    `INSERT INTO "AuditEntry" ("at", "action", "actor", "previousHash", "hash")
     SELECT now(), 'login', 'cli', h."hash", h."hash" FROM "AuditHead" h`,
  ],
  [
    'one of another deployment with the same secret is added',
    `UPDATE "AuditEntry" SET "hash" = (SELECT "hash" FROM other) WHERE "position" IS NULL`,
  ],
]

test.each(attacks)(
  'before it is joined, %s: that is found, and stays found',
  async (_, sql) => {
    const { url, database, operator } = await newShop()
    expect((await verifyAudit(database)).problem).toBeUndefined()
    await operator.query(
      `CREATE TABLE other AS SELECT 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx' AS "hash"`,
    )
    await operator.query('ALTER TABLE "AuditEntry" DISABLE TRIGGER USER')
    const release = await holdChain(url)
    await load(database, [sale(101, 'TAMPERED-BEFORE-IT-IS-JOINED')])
    await operator.query(sql)
    await release()
    const { problem, last } = await verifyAudit(database)
    expect(problem).toBe(`entry ${last.position + 1} was changed`)
    await load(database, [sale(101, 'ANOTHER-SALE-AFTERWARDS')])
    expect((await verifyAudit(database)).problem).toBe(problem)
    expect(await unjoinedIn(operator)).toBe(0)
  },
  timeout,
)
