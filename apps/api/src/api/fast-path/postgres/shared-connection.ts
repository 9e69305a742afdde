import pg from 'pg'
import { DatabaseError } from '../../../db/errors.ts'
import type { Connection } from '../../../db/postgres/connection.ts'
import { fromPostgres } from '../../../db/postgres/errors.ts'

/** The values of a row as they arrive: texts, or null. */
export type RawRow = readonly (string | null)[]

export interface Query {
  /** The name of the prepared statement on each connection; undefined for a statement that is parsed each time. */
  name: string | undefined
  text: string
  values: readonly (string | null)[]
}

/** How long a query waits behind others, of which each may wait for a lock. */
const longestWaitMs = 1000

const tooManyWait = () => new DatabaseError('busy', 'QUERIES')

/** Takes rows as they arrive: what a response holds of them is written by the kind of its field. */
class RawQuery extends pg.Query {
  readonly received: RawRow[] = []

  constructor({ name, text, values }: Query) {
    super(text, [...values])
    Object.assign(this, { name })
  }

  handleDataRow({ fields }: { fields: RawRow }) {
    this.received.push(fields)
  }
}

interface Waiting {
  sentAt: number
  /** Undefined once the caller was told that this takes too long: the result is still to come. */
  reject: ((error: unknown) => void) | undefined
}

/** Sends queries over a connection without waiting for the results of those before. */
export function shareConnection(client: Connection) {
  const { stream } = client.connection
  // To have the columns of each result described costs more than to read its row.
  client.connection.describe = () => {}
  const waiting: Waiting[] = []
  let isCorked = false

  /** Queries of one turn of the event loop are sent in one piece. */
  function cork() {
    if (isCorked) return
    isCorked = true
    stream.cork()
    setImmediate(() => {
      isCorked = false
      stream.uncork()
    })
  }

  /** Whether results are still to come that no caller waits for. */
  const isBehind = () => waiting[0] !== undefined && !waiting[0].reject

  /** After a query that failed: those behind it that have waited for long would wait for the same lock. */
  function giveUpOverdue() {
    const overdue = performance.now() - longestWaitMs
    for (const query of waiting) {
      if (query.sentAt > overdue) return
      query.reject?.(tooManyWait())
      query.reject = undefined
    }
  }

  return {
    query: (query: Query) =>
      new Promise<RawRow[]>((resolve, reject) => {
        if (isBehind()) throw tooManyWait()
        cork()
        waiting.push({ sentAt: performance.now(), reject })
        const raw = new RawQuery(query)
        client.query(raw, (error: unknown) => {
          waiting.shift()
          if (!error) return resolve(raw.received)
          reject(fromPostgres(error))
          giveUpOverdue()
        })
      }),
    /** Ends it; queries that have no result fail. */
    end() {
      if (waiting.length) stream.destroy()
      return client.end()
    },
  }
}

export type SharedConnection = ReturnType<typeof shareConnection>
