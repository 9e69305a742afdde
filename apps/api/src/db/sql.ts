/** A statement, and what `$1` and the following stand for. */
export type Statement = readonly [sql: string, ...values: unknown[]]

type Query = <Row>(...statement: Statement) => Promise<Row[]>

/** Runs statements one after another on one connection. The caller knows the columns of its queries. */
export interface Sql {
  query: Query
  /** A statement whose rows nothing reads: it may be sent together with those that follow. */
  run: (...statement: Statement) => Promise<unknown>
}

export const createSql = (query: Query, run: Sql['run'] = query): Sql => ({ query, run })

/** Commits what a function does, or takes all of it back. Nothing else uses the connection meanwhile. */
export async function transactOn<Result>(
  sql: Sql,
  act: (sql: Sql) => Promise<Result>,
  begin = 'BEGIN IMMEDIATE',
): Promise<Result> {
  await sql.run(begin)
  try {
    const result = await act(sql)
    await sql.run('COMMIT')
    return result
  } catch (error) {
    // There may be nothing to take back: SQLite does it itself after some errors, and the connection to a server may be what failed.
    await sql.run('ROLLBACK').catch(() => {})
    throw error
  }
}
