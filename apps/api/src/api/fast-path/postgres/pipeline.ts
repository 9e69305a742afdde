import type { ClientBase } from 'pg'
import { DatabaseError, type DatabaseErrorKind } from '../../../db/errors.ts'
import type { Address } from '../../../db/postgres/address.ts'
import { type Connection, type ConnectionOptions, openConnection } from '../../../db/postgres/connection.ts'
import { fromPostgres } from '../../../db/postgres/errors.ts'
import { createFailover } from '../../../db/postgres/host-failover.ts'
import { withTimeout } from '../../../with-timeout.ts'
import { type Query, RawQuery, type RawRow } from './raw-query.ts'

interface PipelineOptions {
  address: Address
  limits: ConnectionOptions
  /** How many connections. */
  size: number
  /** Throws on a connection to another database than the expected one. */
  check: (client: ClientBase) => Promise<void>
}

/** Pause after a connection failed. */
const backoffMs = 100

/** For this long after a failure, requests do not wait long for the next connection. */
const doubtMs = 5000

/** How long a query waits for a new connection: usually, and soon after a failure. */
const connectWithinMs = { expected: 2000, doubted: 250 }

/** After these errors of one statement its connection is as good as before. */
const keepsConnection: ReadonlySet<DatabaseErrorKind> = new Set(['timeout', 'busy'])

/** After these errors of a connection its queries are retried on another one. */
const retried: ReadonlySet<DatabaseErrorKind> = new Set([
  'stopped',
  'stale_statement',
  'no_connection',
  'connection_lost',
])

const kindOf = (error: unknown) => (error instanceof DatabaseError ? error.kind : 'other')

/** One connection, opened when it is needed, and again when it was lost. */
function createSlot({ address, limits, check }: PipelineOptions) {
  const failover = createFailover(address.endpoints)
  let current: Connection | undefined
  let opening: Promise<Connection> | undefined
  let failure: { error: unknown; at: number } | undefined
  let corked = false
  let pending = 0

  async function open(): Promise<Connection> {
    const connection = await openConnection(address, { ...limits, pipeline: true, check, failover })
    connection.once('end', () => drop(connection))
    current = connection
    failure = undefined
    return connection
  }

  function drop(connection: Connection) {
    if (current === connection) current = undefined
  }

  const failedWithin = (milliseconds: number) =>
    failure && performance.now() - failure.at < milliseconds ? failure : undefined

  /** Begins to connect, unless it has begun or has just failed. */
  function connect() {
    if (current || opening || failedWithin(backoffMs)) return
    opening = open().finally(() => {
      opening = undefined
    })
    opening.catch((error) => {
      failure = { error, at: performance.now() }
    })
  }

  function connected(): Promise<Connection> {
    connect()
    const failed = failedWithin(doubtMs)
    if (!opening) return Promise.reject(failed?.error)
    return withTimeout(opening, failed ? connectWithinMs.doubted : connectWithinMs.expected)
  }

  /** Sends the queries of one turn of the event loop in one piece. */
  function corkUntilIdle({ connection: { stream } }: Connection) {
    if (corked) return
    corked = true
    stream.cork()
    setImmediate(() => {
      corked = false
      stream.uncork()
    })
  }

  function failed(connection: Connection, thrown: Error): unknown {
    const error = fromPostgres(thrown)
    const kind = kindOf(error)
    if (!keepsConnection.has(kind)) {
      drop(connection)
      void connection.end()
    }
    if (kind === 'no_answer') failure = { error, at: performance.now() }
    return error
  }

  const send = (connection: Connection, query: Query) =>
    new Promise<RawRow[]>((resolve, reject) => {
      const settled = connection.expectResult()
      pending++
      corkUntilIdle(connection)
      connection.query(
        new RawQuery(query, (error, rows) => {
          pending--
          settled()
          if (error) reject(failed(connection, error))
          else resolve(rows)
        }),
      )
    })

  return {
    isOpen: () => current !== undefined,
    connect,
    pending: () => pending,
    query: async (query: Query): Promise<RawRow[]> => send(current ?? (await connected()), query),
    async close() {
      await opening?.catch(() => {})
      await current?.end()
    },
  }
}

type Slot = ReturnType<typeof createSlot>

/**
 * Sends queries over a few connections without waiting for earlier results: all that arrive meanwhile share the cost of reading a
 * socket. A query whose connection broke is retried once on another one.
 */
export function createPipeline(options: PipelineOptions) {
  const first = createSlot(options)
  const slots = [first, ...Array.from({ length: options.size - 1 }, () => createSlot(options))]
  // Ahead of the first request.
  for (const slot of slots) slot.connect()

  /** The least busy open connection; the others begin to connect. */
  function openSlot(): Slot | undefined {
    let best: Slot | undefined
    for (const slot of slots) {
      if (!slot.isOpen()) slot.connect()
      else if (!best || slot.pending() < best.pending()) best = slot
    }
    return best
  }

  return {
    async query(query: Query): Promise<RawRow[]> {
      const slot = openSlot()
      if (!slot) return first.query(query)
      try {
        return await slot.query(query)
      } catch (error) {
        if (!retried.has(kindOf(error))) throw error
        return (openSlot() ?? first).query(query)
      }
    },
    async close() {
      await Promise.all(slots.map((slot) => slot.close()))
    },
  }
}

export type Pipeline = ReturnType<typeof createPipeline>
