import { setTimeout as sleep } from 'node:timers/promises'
import { freePort, type PostgresServer } from '@saleproof/postgres'
import pg from 'pg'
import { onTestFinished } from 'vitest'
import { eventually } from '../faults/serving.ts'
import { startInstance } from '../postgresql/instance.ts'
import { shopUrl, startShop } from '../postgresql/servers.ts'
import { startProxy } from '../postgresql/tcp-proxy.ts'
import { receive } from '../support/client.ts'
import { startRedis } from '../support/redis-server.ts'
import { startHaproxy } from './haproxy.ts'
import { createNetwork } from './network.ts'

/** A primary, and a standby that has everything that the primary has confirmed. */
async function startDatabase() {
  const shop = await startShop({ max_connections: 200, autovacuum_naptime: '1s' })
  let primary: PostgresServer = shop
  let standby: PostgresServer

  async function asAdmin<T>(act: (client: pg.Client) => Promise<T>, server = primary) {
    const client = new pg.Client(server.url('shop'))
    client.on('error', () => {})
    await client.connect()
    try {
      return await act(client)
    } finally {
      await client.end()
    }
  }
  const synchronise = (names: string, server: PostgresServer) =>
    asAdmin(async (client) => {
      await client.query(`ALTER SYSTEM SET synchronous_standby_names = '${names}'`)
      await client.query('SELECT pg_reload_conf()')
    }, server)

  async function follow() {
    standby = await primary.startStandby({ wal_receiver_timeout: '5s', wal_retrieve_retry_interval: '200ms' })
    onTestFinished(standby.remove, 120_000)
    await synchronise('', standby)
    await synchronise('*', primary)
  }
  await follow()
  return {
    asAdmin,
    primary: () => primary,
    standby: () => standby,
    /** Takes the place of the primary, which has to have ended; gives what makes it a standby of its own. */
    async promote() {
      const old = primary
      await asAdmin((client) => client.query('SELECT pg_promote()'), standby)
      primary = standby
      return async () => {
        await old.remove()
        await follow()
      }
    },
  }
}

type Database = Awaited<ReturnType<typeof startDatabase>>
type Proxy = Awaited<ReturnType<typeof startProxy>>

const readiness = async (url: string) =>
  (await receive(url, { path: '/readyz' }).catch(() => undefined))?.status ?? 0

/** An instance whose connections can be cut: by its network where it has one of its own, else by what they lead through. */
async function createInstance(number: number, database: Database, redis: { port: number }) {
  const network = number >= 2 ? createNetwork(number) : undefined
  const host = network?.host ?? '127.0.0.1'
  const listen = network ? '0.0.0.0' : host
  const server = await startProxy(database.primary().port, listen)
  const limits = await startProxy(redis.port, listen)
  const proxies: readonly Proxy[] = [server, limits]
  const address = `${network?.own ?? '127.0.0.1'}:${await freePort()}`
  const [own, port] = address.split(':')
  const url = `http://${address}`
  const env = {
    HOST: own!,
    PORT: port!,
    REDIS_URL: `redis://${host}:${limits.port}`,
    // Counted with Redis, and never reached.
    SALEPROOF_RATE_LIMIT: '1000000/60',
    SALEPROOF_FAILURE_LIMIT: '1000000/60',
    TRUST_PROXY: '1',
    LOG_LEVEL: 'warn',
  }
  const databaseUrl = `${shopUrl(0).replace('127.0.0.1:0', `${host}:${server.port}`)}?sslmode=disable`
  /** Tries again, as a supervisor does, while its database does not respond. */
  async function start() {
    const deadline = Date.now() + 60_000
    for (;;) {
      try {
        return await startInstance(databaseUrl, { env, within: network?.within ?? [] })
      } catch (error) {
        if (Date.now() > deadline) throw error
        await sleep(500)
      }
    }
  }
  let process = await start()
  return {
    url,
    address,
    name: `instance ${number + 1}`,
    signal: (name: NodeJS.Signals) => process.signal(name),
    /** Waits until it has ended, and starts it again. */
    async restart() {
      const { code, stdout } = await process.done
      if (/unexpected error/.test(stdout)) throw new Error(stdout)
      process = await start()
      return code
    },
    isReady: async () => (await readiness(url)) === 200,
    /** The network drops every packet between it and its databases; gives what lets them through. */
    cutOff() {
      if (network) return network.cut(['databases'])
      const ends = proxies.map((proxy) => proxy.swallow())
      return () => ends.forEach((end) => void end())
    },
    /** The same with its callers' packets, where it has a network of its own. */
    vanish: network && (() => network.cut(['databases', 'callers'])),
    /** Its database address leads to another server. */
    lead: server.moveTo,
  }
}

export type Instance = Awaited<ReturnType<typeof createInstance>>

/** Four instances behind HAProxy, on a primary with a standby, with Redis. */
export async function startCluster() {
  const database = await startDatabase()
  const redis = await startRedis()
  onTestFinished(redis.stop)
  const instances = await Promise.all([0, 1, 2, 3].map((number) => createInstance(number, database, redis)))
  const url = await startHaproxy(instances.map(({ address }) => address))
  return {
    url,
    database,
    redis,
    instances,
    /** Waits until each instance is ready, and HAProxy sends it requests. */
    untilReady: (withinMs: number) =>
      eventually(async () => {
        const ready = await Promise.all(instances.map(({ isReady }) => isReady()))
        return ready.every(Boolean)
      }, withinMs),
  }
}

export type Cluster = Awaited<ReturnType<typeof startCluster>>
