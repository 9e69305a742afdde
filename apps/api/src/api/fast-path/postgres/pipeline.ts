import type { ClientBase } from 'pg'
import { DatabaseError, type DatabaseErrorKind } from '../../../db/errors.ts'
import type { Address, SessionLimits } from '../../../db/postgres/address.ts'
import { openConnection } from '../../../db/postgres/connection.ts'
import { fromPostgres } from '../../../db/postgres/errors.ts'
import { withTimeout } from '../../../with-timeout.ts'
import type { Query, RawRow } from './driver-internals.ts'
import { type SharedConnection, shareConnection } from './shared-connection.ts'

interface PipelineOptions {
  address: Address
  /** Shared with other pipelines to the address, which learn from it that the server hangs. */
  failures: ReturnType<typeof createFailures>
  limits: SessionLimits
  /** Throws on a connection to another database than the expected one. */
  check: (client: ClientBase) => Promise<void>
}

/** Pause after a connection failed. */
const backoffMs = 100

/** How long a query waits for a connection, and a connection for the server to go on: usually, and soon after a failure. */
const timeoutMs = { expected: 1600, doubted: 150 }

/** A server that has just failed is doubted for this long, unless it lets in. */
const doubtMs = 5000

/** The last failure of a server, if no connection was made since. */
export function createFailures() {
  let last: { error: unknown; at: number } | undefined
  return {
    within: (milliseconds = doubtMs) =>
      last && performance.now() - last.at < milliseconds ? last : undefined,
    add(error: unknown) {
      last = { error, at: performance.now() }
    },
    forget() {
      last = undefined
    },
  }
}

/** After these errors of one statement its connection is as good as before. */
const keepsConnection: ReadonlySet<DatabaseErrorKind> = new Set(['timeout', 'busy'])

/** After these errors of a connection its queries are retried on another one. */
const retried: ReadonlySet<DatabaseErrorKind> = new Set(['connection_lost', 'stale_statement'])

const errorKind = (error: unknown) => (error instanceof DatabaseError ? error.kind : 'other')

/**
 * Sends queries over one connection without waiting for earlier results: all that arrive meanwhile share the cost of reading a socket. It
 * connects ahead of the first query, and again when the connection was lost. A query whose connection broke is retried once on the next one.
 */
export function createPipeline({ address, limits, check, failures }: PipelineOptions) {
  let current: SharedConnection | undefined
  let opening: Promise<SharedConnection> | undefined

  const withinMs = () => timeoutMs[failures.within() ? 'doubted' : 'expected']
  /** A connection that is being made is no longer doubted: its server may be far away. */
  const silentMs = () => (current ? withinMs() : timeoutMs.expected)

  async function open(): Promise<SharedConnection> {
    const opened = await openConnection(address, { ...limits, timeoutMs: silentMs, check, pipeline: true })
    const connection = shareConnection(opened)
    opened.once('end', () => drop(connection))
    current = connection
    failures.forget()
    return connection
  }

  function drop(connection: SharedConnection) {
    if (current === connection) current = undefined
  }

  /** Begins to connect, unless it has begun or has just failed. */
  function connect() {
    if (current || opening || failures.within(backoffMs)) return
    opening = open().finally(() => {
      opening = undefined
    })
    opening.catch(failures.add)
  }

  async function connected(): Promise<SharedConnection> {
    connect()
    if (!opening) throw failures.within()?.error
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
    if (kind === 'no_answer') failures.add(error)
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
