import { setTimeout as sleep } from 'node:timers/promises'
import { expect, inject, onTestFinished, test } from 'vitest'
import { eventually, importRecords } from '../faults/serving.ts'
import { createBrowser, password } from '../support/console-client.ts'
import { temporaryDatabase } from '../support/postgres-databases.ts'
import { codes, records } from '../support/records.ts'
import { startInstance } from './instance.ts'
import { connectTo } from './servers.ts'

// What is written in a workspace does not wait for what is written in another one.

const timeout = 120_000

const sale = (item: number, purchase_code: string) => ({
  type: 'purchase',
  item,
  purchase_code,
  license_type: 'Regular',
  price: 1,
  currency: 'USD',
  downloaded: false,
  date: '2024-01-01T00:00:00Z',
})

const withPasswords = records.map((record) => ('username' in record ? { ...record, password } : record))

/**
 * Two instances; `hold` lets no sale of item 101 of `ada-studio` end until the result is called, and `remove` removes an account at that
 * time.
 */
async function startMarket() {
  const { url, remove } = await temporaryDatabase(inject('postgresUrl'))
  onTestFinished(remove)
  const instances = [await startInstance(url), await startInstance(url)] as const
  expect((await importRecords(instances[0].url, withPasswords)).status).toBe(200)
  const other = await connectTo(url)
  /** The locks that writers wait for. */
  const waits = async () => {
    const { rows } = await other.query<{ wait_event: string }>(
      `SELECT wait_event FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    )
    return rows.map(({ wait_event }) => wait_event)
  }
  const holder = await connectTo(url)
  return {
    instances,
    waits,
    async hold() {
      await holder.query('BEGIN; SELECT 1 FROM "Item" WHERE "id" = 101 FOR UPDATE')
      return () => holder.query('COMMIT')
    },
    async remove(username: string) {
      // Whatever tables refer to it.
      await holder.query('SET session_replication_role = replica')
      await holder.query(`BEGIN; DELETE FROM "Account" WHERE "username" = '${username}'`)
      return () => holder.query('COMMIT')
    },
  }
}

/** Says after a while how many writers waited at once at most. */
function watch(waits: () => Promise<readonly string[]>) {
  let running = true
  let most = 0
  const watching = (async () => {
    for (; running; await sleep(10)) most = Math.max(most, (await waits()).length)
  })()
  return async () => {
    running = false
    await watching
    return most
  }
}

test(
  'a sale that is held up holds up no sale, refund, revocation or sign-in of another workspace',
  async () => {
    const { instances, waits, hold, remove } = await startMarket()
    const bob = createBrowser(instances[0].url)
    await bob.signIn('bob')
    const { keys } = await bob.ask('listKeys', { slug: 'bob-works' })
    const release = await hold()
    const held = importRecords(instances[0].url, [sale(101, 'HELD-SALE-OF-ADA')])
    await eventually(async () => (await waits()).length > 0)
    const stop = watch(waits)
    for (const [index, { url }] of instances.entries()) {
      const { status } = await importRecords(url, [sale(201, `SALE-OF-BOB-${index}`)])
      expect(status).toBe(200)
    }
    const refund = { purchase_code: codes.others, state: 'refunded' } as const
    expect(await bob.ask('setPurchaseState', { slug: 'bob-works' }, refund)).toBeDefined()
    await bob.ask('revokeKey', { slug: 'bob-works', id: keys[0]!.id })
    await createBrowser(instances[1].url).signIn('bob')
    // That is the one that is held up.
    expect(await stop()).toBe(1)
    await release()
    // On a slow machine it has given up by now.
    expect([200, 503]).toContain((await held).status)

    // What is not known is not said of the slug: the account may be gone, too.
    const letGo = await remove('bob')
    const creating = bob.call('createWorkspace', {}, { slug: 'free', name: 'Free' })
    await eventually(async () => (await waits()).length > 0)
    await letGo()
    expect((await creating).status).toBe(503)
  },
  timeout,
)
