import type { ClientBase } from 'pg'
import { DatabaseError, type DatabaseErrorKind } from '../../../db/errors.ts'
import type { Address, Endpoint, SessionLimits } from '../../../db/postgres/address.ts'
import { openConnection } from '../../../db/postgres/connection.ts'
import { fromPostgres } from '../../../db/postgres/errors.ts'
import type { Failover } from '../../../db/postgres/host-failover.ts'
import { withTimeout } from '../../../with-timeout.ts'
import { type Query, type RawRow, type SharedConnection, shareConnection } from './shared-connection.ts'

interface PipelineOptions {
  address: Address
  /** Shared with other pipelines to the address, which learn from it that the server hangs. */
  failover: Failover<Endpoint>
  limits: SessionLimits
  /** Throws on a connection to another database than the expected one. */
  check: (client: ClientBase) => Promise<void>
}

/** Pause after a connection failed. */
const backoffMs = 100

/** How long a query waits for a connection, and a connection for the server to go on: usually, and soon after a failure. */
const timeoutMs = { expected: 1600, doubted: 150 }

/** After these errors of one statement its connection is as good as before. */
const keepsConnection: ReadonlySet<DatabaseErrorKind> = new Set(['timeout', 'busy'])

/** After these errors of a connection its queries are retried on another one. */
const retried: ReadonlySet<DatabaseErrorKind> = new Set([
  'stopped',
  'stale_statement',
  'no_connection',
  'connection_lost',
])

const errorKind = (error: unknown) => (error instanceof DatabaseError ? error.kind : 'other')

/**
 * Sends queries over one connection without waiting for earlier results: all that arrive meanwhile share the cost of reading a socket. It
 * connects ahead of the first query, and again when the connection was lost. A query whose connection broke is retried once on the next one.
 */
export function createPipeline({ address, limits, check, failover }: PipelineOptions) {
  let current: SharedConnection | undefined
  let opening: Promise<SharedConnection> | undefined

  const withinMs = () => timeoutMs[failover.failedWithin() ? 'doubted' : 'expected']
  /** A connection that is being made is no longer doubted: its server may be far away. */
  const silentMs = () => (current ? withinMs() : timeoutMs.expected)

  async function open(): Promise<SharedConnection> {
    const opened = await openConnection(address, {
      ...limits,
      timeoutMs: silentMs,
      check,
      failover,
      pipeline: true,
    })
    const connection = shareConnection(opened)
    opened.once('end', () => drop(connection))
    current = connection
    failover.connected()
    return connection
  }

  function drop(connection: SharedConnection) {
    if (current === connection) current = undefined
  }

  /** Begins to connect, unless it has begun or has just failed. */
  function connect() {
    if (current || opening || failover.failedWithin(backoffMs)) return
    opening = open().finally(() => {
      opening = undefined
    })
    opening.catch(failover.failed)
  }

  async function connected(): Promise<SharedConnection> {
    connect()
    if (!opening) throw failover.failedWithin()?.error
    try {
      return await withTimeout(opening, withinMs())
    } catch (error) {
      throw fromPostgres(error)
    }
  }

  function failed(connection: SharedConnection, error: unknown): unknown {
    const kind = errorKind(error)
    if (!keepsConnection.has(kind)) {
      drop(connection)
      void connection.end()
    }
    if (kind === 'no_answer') failover.failed(error)
    return error
  }

  const sendOver = (connection: SharedConnection, query: Query) =>
    connection.query(query).catch((error) => {
      throw failed(connection, error)
    })

  const send = (query: Query): Promise<RawRow[]> =>
    current ? sendOver(current, query) : connected().then((connection) => sendOver(connection, query))

  connect()
  return {
    query: (query: Query) =>
      send(query).catch((error) => {
        if (!retried.has(errorKind(error))) throw error
        return send(query)
      }),
    async close() {
      await opening?.catch(() => {})
      await current?.end()
    },
  }
}

export type Pipeline = ReturnType<typeof createPipeline>
