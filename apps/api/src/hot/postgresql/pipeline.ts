import type { Address } from '../../database/postgresql/address.ts'
import {
  type Connection,
  type ConnectionOptions,
  named,
  openConnection,
} from '../../database/postgresql/connection.ts'
import { requireDeployment } from '../../database/postgresql/deployment.ts'
import { type Question, RawQuery, type RawRow } from './raw-query.ts'

interface PipelineOptions {
  address: Address
  limits: ConnectionOptions
  /** How many connections. */
  size: number
  /** Of the deployment whose database it has to be. */
  identity: string
}

/** So long after a connection could not be made nobody tries again: whoever asks is told at once. */
const restMs = 100

interface Corked {
  connection: { stream: { cork(): void; uncork(): void } }
}

/** What the server says of a statement that took too long says nothing of the connection. */
const keepsConnection = new Set(['57014', '55P03'])

type Coded = Error & { code?: string; severity?: string }

/** One connection, made when it is needed, and again when it was lost. */
function createSlot({ address, limits, identity }: PipelineOptions) {
  let current: Connection | undefined
  let opening: Promise<Connection> | undefined
  let failure: { error: unknown; at: number } | undefined
  let corked = false
  let pending = 0

  async function open(): Promise<Connection> {
    const connection = await openConnection(address, { ...limits, pipeline: true })
    try {
      await requireDeployment(connection, identity)
    } catch (error) {
      void connection.end()
      throw error
    }
    connection.once('end', () => drop(connection))
    current = connection
    return connection
  }

  function drop(connection: Connection) {
    if (current === connection) current = undefined
  }

  function connect(): Promise<Connection> {
    if (failure && performance.now() - failure.at < restMs) return Promise.reject(failure.error)
    opening ??= open()
      .catch((error) => {
        failure = { error, at: performance.now() }
        throw error
      })
      .finally(() => {
        opening = undefined
      })
    return opening
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
    return named(error)
  }

  const send = (connection: Connection, question: Question) =>
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
    pending: () => pending,
    ask: (question: Question): Promise<RawRow[]> =>
      current ? send(current, question) : connect().then((connection) => send(connection, question)),
    async close() {
      await opening?.catch(() => {})
      await current?.end()
    },
  }
}

/** Stopped by an operator, by a crash of another one, or without what was prepared on it. */
const lostWith = new Set(['57P01', '57P02', '26000', '0A000', 'NO_CONNECTION', 'ECONNRESET', 'EPIPE'])

/**
 * Questions to a database over a few connections. None waits for the answer to the one before: what reading a socket costs is shared by
 * all that came meanwhile. A question that was under way on a connection that broke is asked once more on another one.
 */
export function createPipeline(options: PipelineOptions) {
  const slots = Array.from({ length: options.size }, () => createSlot(options))
  const leastBusy = () => slots.reduce((best, slot) => (slot.pending() < best.pending() ? slot : best))

  return {
    ask(question: Question): Promise<RawRow[]> {
      return leastBusy()
        .ask(question)
        .catch((error: Coded) => {
          if (!lostWith.has(error.code ?? '')) throw error
          return leastBusy().ask(question)
        })
    },
    async close() {
      await Promise.all(slots.map((slot) => slot.close()))
    },
  }
}

export type Pipeline = ReturnType<typeof createPipeline>
