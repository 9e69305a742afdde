import type { ClientBase } from 'pg'
import { DatabaseError, type DatabaseErrorKind } from '../../../db/errors.ts'
import type { Address, Endpoint, SessionLimits } from '../../../db/postgres/address.ts'
import { openConnection } from '../../../db/postgres/connection.ts'
import { fromPostgres } from '../../../db/postgres/errors.ts'
import { createFailover, type Failover } from '../../../db/postgres/host-failover.ts'
import { withTimeout } from '../../../with-timeout.ts'
import { type Query, type RawRow, type SharedConnection, shareConnection } from './shared-connection.ts'

interface PipelineOptions {
  address: Address
  /** Shared with other pipelines to the address, which learn from it that the server hangs. */
  failover?: Failover<Endpoint>
  limits: SessionLimits
  size: number
  /** Throws on a connection to another database than the expected one. */
  check: (client: ClientBase) => Promise<void>
}

/** A connection with so many queries that have no result is busy. */
const busy = 32

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

/** One connection, opened when it is needed, and again when it was lost. */
function createSlot({
  address,
  limits,
  check,
  failover,
}: PipelineOptions & { failover: Failover<Endpoint> }) {
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

  const send = (connection: SharedConnection, query: Query) =>
    connection.query(query).catch((error) => {
      throw failed(connection, error)
    })

  return {
    isOpen: () => current !== undefined,
    connect,
    pending: () => current?.pending() ?? 0,
    query: (query: Query): Promise<RawRow[]> =>
      current ? send(current, query) : connected().then((connection) => send(connection, query)),
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
  const { address, size, failover = createFailover(address.endpoints) } = options
  const open = () => createSlot({ ...options, failover })
  const first = open()
  const slots = [first, ...Array.from({ length: size - 1 }, open)]
  // Ahead of the first request.
  for (const slot of slots) slot.connect()

  /** The first open connection that is not busy, so that queries are sent together, else the least busy; the others begin to connect. */
  function openSlot(): Slot | undefined {
    let best: Slot | undefined
    for (const slot of slots) {
      if (!slot.isOpen()) slot.connect()
      else if (!best || (best.pending() >= busy && slot.pending() < best.pending())) best = slot
    }
    return best
  }

  return {
    query(query: Query): Promise<RawRow[]> {
      const slot = openSlot()
      if (!slot) return first.query(query)
      return slot.query(query).catch((error) => {
        if (!retried.has(errorKind(error))) throw error
        return (openSlot() ?? first).query(query)
      })
    },
    async close() {
      await Promise.all(slots.map((slot) => slot.close()))
    },
  }
}

export type Pipeline = ReturnType<typeof createPipeline>
