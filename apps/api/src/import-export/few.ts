import type { Transact, WriteScope } from '../db/database.ts'
import { DatabaseError } from '../db/errors.ts'
import type { Sql } from '../db/sql.ts'
import type { ImportRequest } from '../domain/imports.ts'
import { type ColumnValue, stagedColumns } from '../records/columns.ts'
import { byType, type RecordType, recordTables, recordTypes } from '../records/tables.ts'
import { ofWorkspaces } from './copy.ts'
import { type Dialect, postgresql, sqlite } from './dialect.ts'
import { createStaging, insertStaged, stagingTables } from './staged.ts'
import { type ImportTarget, readHash } from './target.ts'

/** How few records are staged: on a connection that stays, in the transaction that stores them. */
export interface FewDialect extends Dialect {
  /** What a connection has to have run before. */
  prepare: readonly string[]
  /** What each transaction begins with. */
  begin?: string
}

export const fewSqlite: FewDialect = {
  ...sqlite,
  // Another file could not take part in the transaction.
  prepare: [`ATTACH ':memory:' AS staging`, ...createStaging(sqlite)],
}

export const fewPostgresql = ({ pgbouncer }: { pgbouncer: boolean }): FewDialect => ({
  ...postgresql,
  // PgBouncer may give each transaction another connection. Another one has its tables emptied now and then: nothing vacuums them, and to
  // empty them after each transaction costs more than a sale.
  prepare: pgbouncer
    ? createStaging(postgresql, 'ON COMMIT DROP')
    : [...createStaging(postgresql), `TRUNCATE ${stagingTables.map((name) => `pg_temp.${name}`).join(', ')}`],
  // Every query goes by an index, whatever the statistics of the tables say.
  begin: `SELECT set_config('enable_hashjoin', 'off', true), set_config('enable_mergejoin', 'off', true)`,
})

/** The database that a process which serves imports few records into. */
export interface FewTarget {
  dialect: FewDialect
  transact: Transact<Sql>
}

type StagedRow = readonly [line: number, ...row: ColumnValue[]]

/** Holds the rows of few records, and stages them in the one transaction that checks and stores them: no thread is needed for that. */
export function createFewTarget(
  { dialect, transact }: FewTarget,
  { dryRun = false, signal }: Pick<ImportRequest, 'dryRun' | 'signal'>,
): ImportTarget {
  const rows = byType((): StagedRow[] => [])

  function listValues(type: RecordType, name: string) {
    const at = stagedColumns(recordTables[type]).findIndex((column) => column.name === name)
    return rows[type].map((row) => row[at + 1])
  }

  /** Stages the records for what reads them. */
  async function withStaged<Result>(sql: Sql, act: (sql: Sql) => Promise<Result>): Promise<Result> {
    if (dialect.begin) await sql.run(dialect.begin)
    for (const type of recordTypes)
      for (const row of rows[type]) await sql.run(insertStaged(dialect, type), ...row)
    const result = await act(sql)
    for (const table of [...recordTypes.filter((type) => rows[type].length > 0), 'sold_item'])
      await sql.run(`DELETE FROM ${dialect.staging}${table}`)
    return result
  }

  /** Workspaces that records are about; null where one is not stored, or not yet. Without it they are about more. */
  function findScope(): WriteScope | undefined {
    if (recordTypes.some((type) => rows[type].length > 0 && !ofWorkspaces.has(type))) return undefined
    const items = new Set(listValues('item', 'id'))
    const sold = listValues('purchase', 'itemId').filter((id) => !items.has(id))
    const slugs = [...listValues('item', 'workspace'), ...listValues('api_key', 'workspace')]
    const query = `SELECT CAST(d."workspaceId" AS text) AS "id" FROM unnest($1::bigint[]) s("id") LEFT JOIN "Item" d ON d."id" = s."id"
      UNION SELECT CAST(w."id" AS text) FROM unnest($2::text[]) s("slug") LEFT JOIN "Workspace" w ON w."slug" = s."slug"`
    return [query, sold, slugs]
  }

  return {
    dialect,
    stage: (type, line, row) => void rows[type].push([line, ...row]),
    storedHash: (username) =>
      transact((sql) => readHash(sql, username, dialect.main), undefined, { readonly: true, signal }),
    async copy(copy) {
      const options = { readonly: dryRun, prepare: dialect.prepare, signal }
      const run = (scope?: WriteScope) => transact((sql) => withStaged(sql, copy), scope, options)
      const scope = findScope()
      return run(scope).catch((error) => {
        // Ids of items and keys are unique in the whole deployment: another workspace may take one at the same time. Another program may
        // remove what a sale refers to.
        if (!scope || !(error instanceof DatabaseError) || error.kind !== 'conflict') throw error
        return run()
      })
    },
  }
}
