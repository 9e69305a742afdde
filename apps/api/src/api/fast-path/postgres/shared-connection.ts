import { DatabaseError } from '../../../db/errors.ts'
import type { Connection } from '../../../db/postgres/connection.ts'
import { fromPostgres } from '../../../db/postgres/errors.ts'
import { createCork, type Query, RawQuery, type RawRow, skipDescriptions } from './driver-internals.ts'

/** How long a query waits behind others, of which each may wait for a lock. */
const longestWaitMs = 1000

const tooManyWait = () => new DatabaseError('busy', 'QUERIES')

interface Waiting {
  sentAt: number
  /** Undefined once the caller was told that this takes too long: the result is still to come. */
  reject: ((error: unknown) => void) | undefined
}

/** Sends queries over a connection without waiting for the results of those before. */
export function shareConnection(client: Connection) {
  skipDescriptions(client)
  const waiting: Waiting[] = []
  const cork = createCork(client)

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
      if (waiting.length) client.connection.stream.destroy()
      return client.end()
    },
  }
}

export type SharedConnection = ReturnType<typeof shareConnection>
