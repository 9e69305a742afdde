import type { ClientBase } from 'pg'
import type { Address } from '../../../db/postgres/address.ts'
import {
  type Connection,
  type ConnectionOptions,
  named,
  openConnection,
} from '../../../db/postgres/connection.ts'
import { createTurns } from '../../../db/postgres/host-failover.ts'
import { withTimeout } from '../../../with-timeout.ts'
import { type Query, RawQuery, type RawRow } from './raw-query.ts'

interface PipelineOptions {
  address: Address
  limits: ConnectionOptions
  /** How many connections. */
  size: number
  /** Refuses a connection to anything but the database that is asked for. */
  check: (client: ClientBase) => Promise<void>
}

/** So long after a connection could not be made nobody tries again. */
const restMs = 100

/** So long after that the next one is not expected to be there. */
const doubtMs = 5000

/** How long a connection that has to be made is waited for: by who expects it, and by who does not. */
const connectWithinMs = { expected: 2000, doubted: 250 }

interface Corked {
  connection: { stream: { cork(): void; uncork(): void } }
}

/** What the server says of a statement that took too long says nothing of the connection. */
const keepsConnection = new Set(['57014', '55P03'])

type Coded = Error & { code?: string; severity?: string }

/** One connection, made when it is needed, and again when it was lost. */
function createSlot({ address, limits, check }: PipelineOptions) {
  const turns = createTurns(address.ways)
  let current: Connection | undefined
  let opening: Promise<Connection> | undefined
  let failure: { error: unknown; at: number } | undefined
  let corked = false
  let pending = 0

  async function open(): Promise<Connection> {
    const connection = await openConnection(address, { ...limits, pipeline: true, check, turns })
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

  /** Begins to connect, where nobody has and it may succeed. */
  function connect() {
    if (current || opening || failedWithin(restMs)) return
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

  /** What is asked while the answers to other requests are read goes out in one piece. */
  function corkUntilIdle(connection: Connection) {
    if (corked) return
    corked = true
    const { stream } = (connection as unknown as Corked).connection
    stream.cork()
    setImmediate(() => {
      corked = false
      stream.uncork()
    })
  }

  function refuse(connection: Connection, error: Coded): unknown {
    if (!error.severity || !keepsConnection.has(error.code ?? '')) {
      drop(connection)
      void connection.end()
    }
    if (error.code === 'ETIMEDOUT') failure = { error, at: performance.now() }
    return named(error)
  }

  const send = (connection: Connection, question: Query) =>
    new Promise<RawRow[]>((resolve, reject) => {
      const answered = connection.expectAnswer()
      pending++
      corkUntilIdle(connection)
      connection.query(
        new RawQuery(question, (error, rows) => {
          pending--
          answered()
          if (error) reject(refuse(connection, error))
          else resolve(rows)
        }),
      )
    })

  return {
    isOpen: () => current !== undefined,
    connect,
    pending: () => pending,
    ask: async (question: Query): Promise<RawRow[]> => send(current ?? (await connected()), question),
    async close() {
      await opening?.catch(() => {})
      await current?.end()
    },
  }
}

type Slot = ReturnType<typeof createSlot>

/** Stopped by an operator, by a crash of another one, or without what was prepared on it. */
const lostWith = new Set(['57P01', '57P02', '26000', '0A000', 'NO_CONNECTION', 'ECONNRESET', 'EPIPE'])

/**
 * Questions to a database over a few connections. None waits for the answer to the one before: what reading a socket costs is shared by
 * all that came meanwhile. A question that was under way on a connection that broke is asked once more where another one is open.
 */
export function createPipeline(options: PipelineOptions) {
  const slots = Array.from({ length: options.size }, () => createSlot(options))
  // The first request shall not wait for it.
  for (const slot of slots) slot.connect()

  /** The least busy one that is open; those that are not begin to be. */
  function openSlot(): Slot | undefined {
    let best: Slot | undefined
    for (const slot of slots) {
      if (!slot.isOpen()) slot.connect()
      else if (!best || slot.pending() < best.pending()) best = slot
    }
    return best
  }

  return {
    async ask(question: Query): Promise<RawRow[]> {
      const slot = openSlot()
      if (!slot) return slots[0]!.ask(question)
      try {
        return await slot.ask(question)
      } catch (error) {
        if (!lostWith.has((error as Coded).code ?? '')) throw error
        return (openSlot() ?? slots[0]!).ask(question)
      }
    },
    async close() {
      await Promise.all(slots.map((slot) => slot.close()))
    },
  }
}

export type Pipeline = ReturnType<typeof createPipeline>
