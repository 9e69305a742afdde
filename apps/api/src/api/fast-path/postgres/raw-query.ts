import pg from 'pg'

/** The values of a row as they arrive: texts, or null. */
export type RawRow = readonly (string | null)[]

export interface Query {
  /** Of the prepared statement of each connection; undefined for a statement that is parsed each time. */
  name: string | undefined
  text: string
  values: readonly (string | null)[]
}

type Done = (error: Error | null, rows: RawRow[]) => void

/** The part of the driver's connection that sends a query. */
interface Protocol {
  parse(message: { name: string | undefined; text: string; types: readonly number[] }): void
  bind(message: { portal: string; statement: string | undefined; values: readonly (string | null)[] }): void
  execute(message: { portal: string; rows: number }): void
  sync(): void
  submittedNamedStatements: Record<string, string>
}

/**
 * A query whose columns are known: it asks for no description of them, and takes their values as they arrive. The driver would build an
 * object from each row, which costs more than the rest of a response; and in a pipeline it takes no query that is not its own. So this
 * overrides methods of the driver that are not public: raw-query.test.ts fails when the driver changes them.
 */
export class RawQuery extends pg.Query {
  /** The driver's own, which its types lack. */
  declare readonly hasBeenParsed: (connection: Protocol) => boolean
  declare name: string | undefined
  readonly #query: Query
  readonly #done: Done
  readonly #rows: RawRow[] = []
  #failed = false

  constructor(query: Query, done: Done) {
    // Given more than a text the driver clones it, which takes as long as the rest of the query.
    super(query.text)
    this.name = query.name
    this.#query = query
    this.#done = done
  }

  requiresPreparation() {
    return true
  }

  prepare(connection: Protocol) {
    const { name, text, values } = this.#query
    if (!this.hasBeenParsed(connection)) {
      connection.parse({ name, text, types: [] })
      if (name) connection.submittedNamedStatements[name] = text
    }
    connection.bind({ portal: '', statement: name, values })
    connection.execute({ portal: '', rows: 0 })
    connection.sync()
  }

  handleRowDescription() {}

  handleDataRow({ fields }: { fields: RawRow }) {
    this.#rows.push(fields)
  }

  handleCommandComplete() {}

  handleError(error: Error) {
    if (this.#failed) return
    this.#failed = true
    this.#done(error, [])
  }

  handleReadyForQuery() {
    if (!this.#failed) this.#done(null, this.#rows)
  }
}
