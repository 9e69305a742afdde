import pg from 'pg'
import type { Connection } from '../../../db/postgres/connection.ts'

// Everything of pg that it does not document. A new version may change any of it: driver-internals.test.ts fails then.

/** The values of a row as they arrive: texts, or null. */
export type RawRow = readonly (string | null)[]

export interface Query {
  /** The name of the prepared statement on each connection; undefined for a statement that is parsed each time. */
  name: string | undefined
  text: string
  values: readonly (string | null)[]
}

/** Takes rows as they arrive: what a response holds of them is written by the kind of its field. */
export class RawQuery extends pg.Query {
  readonly received: RawRow[] = []

  constructor({ name, text, values }: Query) {
    super(text, [...values])
    Object.assign(this, { name })
  }

  handleDataRow({ fields }: { fields: RawRow }) {
    this.received.push(fields)
  }
}

/** To have the columns of each result described costs more than to read its row. */
export function skipDescriptions(client: Connection) {
  client.connection.describe = () => {}
}

/** Sends what one turn of the event loop writes to the server in one piece. */
export function createCork({ connection: { stream } }: Connection) {
  let isCorked = false
  return function cork() {
    if (isCorked) return
    isCorked = true
    stream.cork()
    setImmediate(() => {
      isCorked = false
      stream.uncork()
    })
  }
}
