import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from 'pg'
import { expect, test } from 'vitest'
import { eventually, importRecords } from '../faults/serving.ts'
import { records } from '../support/records.ts'
import { startInstance } from './instance.ts'
import { startShop } from './servers.ts'

// What keeps a server in order runs beside imports: neither stops the other.

const timeout = 120_000

const purchase = records.find((record) => (record as { type: string }).type === 'purchase')!
const sales = (prefix: string, count: number) =>
  Array.from({ length: count }, (_, index) => ({ ...purchase, purchase_code: `${prefix}-${index}` }))

/** An instance whose purchases have as many dead rows as live ones, so that a vacuum has work in the table and its indexes. */
async function startUsedShop(settings: Record<string, string> = {}) {
  const shop = await startShop({ autovacuum: 'off', ...settings })
  const { url } = await startInstance(shop.shop)
  expect((await importRecords(url, [...records, ...sales('first', 2000)])).status).toBe(200)
  const admin = await shop.admin()
  await admin.query('UPDATE "Purchase" SET "licenseType" = "licenseType"')
  return { shop, url, admin }
}

const isRunning = async (admin: Client, query: string) => {
  const { rows } = await admin.query(
    `SELECT 1 FROM pg_stat_activity WHERE query LIKE $1 AND state = 'active' AND pid <> pg_backend_pid()`,
    [`${query}%`],
  )
  return rows.length > 0
}

/** Stores one sale after the other until it is told to stop; gives the statuses. */
function sellSteadily(url: string) {
  let stopped = false
  async function run() {
    const statuses: number[] = []
    while (!stopped) {
      const [sale] = sales(`steady-${statuses.length}`, 1)
      statuses.push((await importRecords(url, [sale!])).status)
    }
    return statuses
  }
  const running = run()
  return () => {
    stopped = true
    return running
  }
}

test(
  'imports go on while a vacuum runs, also one that analyses',
  async () => {
    const { shop, url, admin } = await startUsedShop()
    async function sellTwenty(prefix: string) {
      const answers: { status: number; waited: number }[] = []
      for (const sale of sales(prefix, 20)) answers.push(await importRecords(url, [sale]))
      expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200))
      return Math.max(...answers.map(({ waited }) => waited))
    }
    const alone = await sellTwenty('alone')
    const maintenance = await shop.admin()
    await maintenance.query('SET vacuum_cost_limit = 1; SET vacuum_cost_delay = 100')
    const vacuum = maintenance.query('VACUUM "Purchase"').catch((error) => error.code)
    await eventually(() => isRunning(admin, 'VACUUM'))
    // A writer that waits for a lock gives up after five seconds.
    expect(await sellTwenty('beside')).toBeLessThan(Math.max(4000, 3 * alone))
    expect((await importRecords(url, sales('many', 10_000))).status).toBe(200)
    // It was not ended by any of them.
    expect(await isRunning(admin, 'VACUUM')).toBe(true)
    await admin.query(`SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE query LIKE 'VACUUM%'`)
    expect(await vacuum).toBe('57014')
  },
  timeout,
)

test(
  'autovacuum completes under steady imports',
  async () => {
    const { url, admin } = await startUsedShop({ autovacuum: 'on', autovacuum_naptime: '1s' })
    const stop = sellSteadily(url)
    // Takes seconds, in which an import that waited for it would cancel it.
    await admin.query(`ALTER TABLE "Purchase" SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 50,
      autovacuum_vacuum_cost_delay = 20, autovacuum_vacuum_cost_limit = 1)`)
    const completed = async () => {
      const { rows } = await admin.query(
        `SELECT autovacuum_count > 0 AS completed FROM pg_stat_user_tables WHERE relname = 'Purchase'`,
      )
      return rows[0].completed
    }
    await eventually(completed)
    const statuses = await stop()
    expect(new Set(statuses)).toEqual(new Set([200]))
  },
  timeout,
)

test(
  'imports go on while an index is built concurrently; it is done, and tables are analysed, beside them',
  async () => {
    const { shop, url, admin } = await startUsedShop()
    const [maintenance, reader] = [await shop.admin(), await shop.admin()]
    // The build waits for whatever read before it began.
    await reader.query('BEGIN ISOLATION LEVEL REPEATABLE READ')
    await reader.query('SELECT 1 FROM "Purchase"')
    const built = maintenance.query('CREATE INDEX CONCURRENTLY "another" ON "Purchase" ("date")')
    await eventually(() => isRunning(admin, 'CREATE INDEX'))
    const stop = sellSteadily(url)
    // Longer than an import waits for a lock.
    await sleep(6000)
    await reader.query('COMMIT')
    await built
    await maintenance.query('ANALYZE')
    const statuses = await stop()
    expect(statuses.length).toBeGreaterThan(1)
    expect(new Set(statuses)).toEqual(new Set([200]))
  },
  timeout,
)

test(
  'an import waits for a change by another program, and checks what that left',
  async () => {
    const shop = await startShop()
    const { url } = await startInstance(shop.shop)
    const item = { ...records.find((record) => 'id' in record && record.id === 101)!, id: 909 }
    expect((await importRecords(url, [...records, item])).status).toBe(200)
    const psql = await shop.admin()
    await psql.query('BEGIN')
    await psql.query('DELETE FROM "Item" WHERE "id" = 909')
    const importing = importRecords(url, [{ ...purchase, purchase_code: 'of-a-removed-item', item: 909 }])
    await sleep(500)
    await psql.query('COMMIT')
    expect((await importing).status).toBe(422)
  },
  timeout,
)
