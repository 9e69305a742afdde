import type { PoolConfig } from 'pg'
import { serversOf } from '../location.ts'
import { type TlsParameters, takeTls } from './tls-parameters.ts'

/** One way to connect to a server. */
export interface Endpoint {
  /** Host, database and user, as the driver takes them. */
  url: string
  /** The server, with its port. */
  host: string
  /** Undefined for a connection that is not encrypted. */
  tls: TlsParameters | undefined
}

export interface Address {
  /** In the order in which they are tried: servers, of which one is the primary, with TLS or without. */
  endpoints: readonly Endpoint[]
  /** Connections of one process at most. */
  poolSize: number
  /** Whether PgBouncer stands in between and gives each transaction any connection: nothing may be kept on one. */
  pgbouncer: boolean
  /** Settings of the session, as `options` of the protocol takes them. */
  options: string
}

const defaultPoolSize = 10

/** A socket of this machine, where TLS is not spoken. */
const isSocket = ({ hostname, searchParams }: URL) =>
  /^(?:\/|%2f)/i.test(searchParams.get('host') ?? hostname)

/** Whether TLS is tried, in the order of the tries. */
const triesOf: Readonly<Record<TlsParameters['mode'], readonly boolean[]>> = {
  disable: [false],
  allow: [false, true],
  prefer: [true, false],
  require: [true],
  'verify-ca': [true],
  'verify-full': [true],
}

function listEndpoints(url: URL): Endpoint[] {
  const tls = takeTls(url)
  const tries = isSocket(url) ? [false] : triesOf[tls.mode]
  return tries.map((encrypted) => ({ url: url.href, host: url.host, tls: encrypted ? tls : undefined }))
}

/** Reads what belongs to us out of the address; the rest is the driver's. */
export function readAddress(databaseUrl: string): Address {
  const urls = serversOf(databaseUrl).map((server) => new URL(server))
  const take = (name: string) => {
    const [value] = urls.map((url) => url.searchParams.get(name))
    for (const url of urls) url.searchParams.delete(name)
    return value ?? null
  }
  const size = Number(take('connection_limit') ?? defaultPoolSize)
  const pgbouncer = take('pgbouncer') === 'true'
  const options = take('options') ?? ''
  return {
    endpoints: urls.flatMap(listEndpoints),
    poolSize: size >= 1 ? Math.floor(size) : defaultPoolSize,
    pgbouncer,
    options,
  }
}

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
