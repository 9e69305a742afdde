import pg from 'pg'

/** The values of a row as they came: texts, or nothing. */
export type RawRow = readonly (string | null)[]

export interface Query {
  /** Under which each connection keeps it prepared; without one it is parsed each time. */
  name: string | undefined
  text: string
  values: readonly (string | null)[]
}

type OnResult = (error: Error | null, rows: RawRow[]) => void

/** The part of the driver's connection that writes a query. */
interface Protocol {
  parse(message: { name: string | undefined; text: string; types: readonly number[] }): void
  bind(message: { portal: string; statement: string | undefined; values: readonly (string | null)[] }): void
  execute(message: { portal: string; rows: number }): void
  sync(): void
  submittedNamedStatements: Record<string, string>
}

interface Overridden {
  hasBeenParsed(connection: Protocol): boolean
}

/**
 * A query whose columns are known: their description is not requested, and their values are taken as they come. The driver would make
 * an object of each row by that description, which costs more than all the rest of a response.
 */
export class RawQuery extends pg.Query {
  readonly #query: Query
  readonly #onResult: OnResult
  readonly #rows: RawRow[] = []
  #failed = false

  constructor(query: Query, onResult: OnResult) {
    super({ ...query, values: [...query.values], queryMode: 'extended' } as pg.QueryConfig)
    this.#query = query
    this.#onResult = onResult
  }

  prepare(connection: Protocol) {
    const { name, text, values } = this.#query
    if (!(this as unknown as Overridden).hasBeenParsed(connection)) {
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
    this.#onResult(error, [])
  }

  handleReadyForQuery() {
    if (!this.#failed) this.#onResult(null, this.#rows)
  }
}
