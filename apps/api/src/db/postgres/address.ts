import type { PoolConfig } from 'pg'
import { takeTls } from './tls-parameters.ts'

const defaultPoolSize = 10

/** Reads what belongs to us out of the address; the rest is the driver's. */
export function readAddress(databaseUrl: string) {
  const url = new URL(databaseUrl)
  const take = (name: string) => {
    const value = url.searchParams.get(name)
    url.searchParams.delete(name)
    return value
  }
  const size = Number(take('connection_limit') ?? defaultPoolSize)
  const pgbouncer = take('pgbouncer') === 'true'
  const options = take('options') ?? ''
  const tls = takeTls(url)
  return {
    /** Host, database and user, as the driver takes them. */
    url: url.href,
    /** Undefined for connections that are not encrypted. */
    tls,
    /** Connections of one process at most. */
    poolSize: size >= 1 ? Math.floor(size) : defaultPoolSize,
    /** Whether PgBouncer stands in between and gives each transaction any connection: nothing may be kept on one. */
    pgbouncer,
    /** Settings of the session, as `options` of the protocol takes them. */
    options,
  }
}

export type Address = ReturnType<typeof readAddress>

export interface SessionLimits {
  /** How long a statement waits for a lock. */
  lockTimeoutMs: number
  /** How long a statement may take; without it as long as it takes. */
  statementTimeoutMs?: number | undefined
  /** Settings of the planner. */
  plan?: Readonly<Record<string, string>>
}

/** Prisma's adapter writes and reads timestamps without their offset, as those of a session whose time zone is UTC. */
const formats = { timezone: 'UTC', datestyle: 'ISO,YMD' }

/**
 * An instance that vanished has closed nothing: without these the server would wait for it, with the locks of its transaction, for hours.
 * A transaction waits this long for its next statement, and a connection for a sign of life of the other machine.
 */
export const idleTransactionMs = 8000
const vanishing = {
  idle_in_transaction_session_timeout: idleTransactionMs,
  tcp_keepalives_idle: 5,
  tcp_keepalives_interval: 2,
  tcp_keepalives_count: 3,
  tcp_user_timeout: 10_000,
}

const sessionSettings = ({ lockTimeoutMs, statementTimeoutMs, plan }: SessionLimits) => ({
  ...formats,
  ...vanishing,
  ...plan,
  lock_timeout: lockTimeoutMs,
  ...(statementTimeoutMs !== undefined && { statement_timeout: statementTimeoutMs }),
})

const asOptions = (settings: object) =>
  Object.entries(settings)
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ')

/**
 * How sessions begin. PgBouncer takes no settings of a session at its start, keeps those of the formats for each client, and gives the
 * others to the next client: set limits on the role there.
 */
export function createSession(
  address: Address,
  limits: SessionLimits,
): Pick<PoolConfig, 'options' | 'onConnect'> {
  if (!address.pgbouncer)
    return { options: `${asOptions(sessionSettings(limits))} ${address.options}`.trim() }
  const statements = Object.entries(formats).map(([name, value]) => `SET ${name} = '${value}'`)
  return { onConnect: async (client) => void (await client.query(statements.join('; '))) }
}
