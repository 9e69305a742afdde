import { startPostgres } from '@saleproof/postgres'
import pg from 'pg'
import { inject, onTestFinished } from 'vitest'
import { secret } from '../support/database.ts'
import { copyOfServer, emptyShop, shopUrl } from '../support/shop-template.ts'

export { shopUrl }

/** Nothing that a crash of the server itself could lose is lost, and it starts fast. */
const settings = { fsync: 'off', checkpoint_timeout: '1h' }

/** The variables with which a service uses a database. */
export const environmentFor = (url: string) => ({ DATABASE_URL: url, SALEPROOF_SECRET: secret! })

/** A connection as the superuser; it ends with the test. */
export async function connectTo(url: string): Promise<pg.Client> {
  const client = new pg.Client(url)
  client.on('error', () => {})
  await client.connect()
  onTestFinished(async () => void (await client.end()))
  return client
}

/** A server of its own for a test, with a database of a deployment that belongs to an ordinary role. */
export async function startShop(
  { migrated = true, ...own }: Record<string, string | number | boolean> = {},
  onLog?: (text: string) => void,
) {
  const { folder, remove } = copyOfServer(inject('shopTemplate'))
  const given = { ...settings, ...(own as Record<string, string>) }
  const server = await startPostgres({ folder, settings: given, onLog })
  onTestFinished(async () => {
    await server.remove()
    remove()
  })
  if (!migrated) await emptyShop(server)
  return {
    ...server,
    shop: shopUrl(server.port),
    /** As the superuser, in the database of the deployment. */
    admin: () => connectTo(server.url('shop')),
    async standby(more: Record<string, string> = {}) {
      const standby = await server.startStandby({ wal_receiver_timeout: '5s', ...more })
      onTestFinished(standby.remove)
      return { ...standby, shop: shopUrl(standby.port), admin: () => connectTo(standby.url('shop')) }
    },
  }
}

export type Shop = Awaited<ReturnType<typeof startShop>>

/** Waits until a standby has everything that its primary has. */
export async function caughtUp(primary: pg.Client, standby: pg.Client) {
  const { rows } = await primary.query('SELECT pg_current_wal_lsn() AS place')
  for (;;) {
    const { rows: found } = await standby.query('SELECT pg_last_wal_replay_lsn() >= $1 AS is', [
      rows[0].place,
    ])
    if (found[0].is) return
  }
}
