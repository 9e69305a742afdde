import type { Client } from 'pg'
import { readAddress } from '../../db/postgres/address.ts'
import { withConnection } from '../../db/postgres/connection.ts'
import { selectOn } from '../../db/postgres/row-types.ts'
import { writeLock } from '../../db/postgres/transactions.ts'
import { whileWorking } from '../../db/postgres/working.ts'
import { createSql, transactOn } from '../../db/sql.ts'
import type { ImportCounts } from '../../domain/imports.ts'
import { recordTables, recordTypes } from '../../records/tables.ts'
import { postgresql } from '../dialect.ts'
import type { ImportTarget } from '../target.ts'
import { createCopyWriter, createStagingTables, indexStagingTables } from './staging.ts'

interface PostgresTarget {
  databaseUrl: string
  signal?: AbortSignal | undefined
}

/** How long an import waits for another writer. */
const lockTimeoutMs = 5000

const writeCount = 'SELECT last_value, is_called FROM "write_count"'

const readVersion = async (client: Client): Promise<string> =>
  JSON.stringify((await client.query(writeCount)).rows[0])

/** Waits for open writes: any later write takes another number. One message, so that no other process waits for this one. */
async function settledVersion(client: Client): Promise<string> {
  // The driver gives a result for each statement.
  const results: unknown = await client.query(`BEGIN; ${writeLock}; ${writeCount}; COMMIT`)
  return JSON.stringify(Array.isArray(results) ? results[2].rows[0] : undefined)
}

/** This many changed rows make plans wrong. */
const manyRows = 10_000

/** The statistics are from before the import; the next request would be planned by them. A vacuum that runs is not waited for. */
async function analyse(client: Client, counts: ImportCounts) {
  for (const type of recordTypes) {
    const { created, updated } = counts[type]
    if (created + updated < manyRows) continue
    const words = type === 'purchase' ? ', "PurchaseWord"' : ''
    await client.query(`ANALYZE (SKIP_LOCKED) "${recordTables[type].name}"${words}`)
  }
}

function createTarget(client: Client, { signal }: PostgresTarget): ImportTarget {
  const select = selectOn(client)
  const sql = createSql(async (...statement) => {
    signal?.throwIfAborted()
    return select(...statement)
  })

  return {
    dialect: { ...postgresql, analyse: (table) => `ANALYZE ${table}` },
    writer: createCopyWriter(client),
    async storedHash(username) {
      const query = 'SELECT "passwordHash" FROM "Account" WHERE "username" = $1'
      const { rows } = await client.query(query, [username])
      return rows[0]?.passwordHash ?? undefined
    },
    async check(check) {
      await indexStagingTables(client)
      const version = await settledVersion(client)
      const result = await transactOn(sql, check, 'BEGIN ISOLATION LEVEL REPEATABLE READ')
      return { result, version }
    },
    async copy(copy) {
      async function copyLocked() {
        await sql.run(writeLock)
        const result = await copy(sql, await readVersion(client))
        await analyse(client, result.plan.counts)
        return result
      }
      return transactOn(sql, copyLocked, 'BEGIN')
    },
  }
}

export const withPostgresTarget = <Result>(
  options: PostgresTarget,
  act: (target: ImportTarget) => Promise<Result>,
): Promise<Result> => {
  const address = readAddress(options.databaseUrl)
  return withConnection(address, { lockTimeoutMs, ...whileWorking(address) }, async (client) => {
    // The server takes back what a connection did that ends.
    options.signal?.addEventListener('abort', () => client.connection.stream.destroy())
    await createStagingTables(client)
    return act(createTarget(client, options))
  })
}
