import type { Client } from 'pg'
import { readAddress } from '../../db/postgres/address.ts'
import { withConnection } from '../../db/postgres/connection.ts'
import { selectOn } from '../../db/postgres/row-types.ts'
import { inTransaction, takeWriteLock } from '../../db/postgres/transactions.ts'
import { type Row, runStepsAsync, type SqlSteps } from '../../db/sql-steps.ts'
import { recordTables, recordTypes } from '../../records/tables.ts'
import type { ImportCounts } from '../copy.ts'
import { postgresql as dialect } from '../dialect.ts'
import type { ImportTarget } from '../target.ts'
import { createCopyWriter, createStagingTables, finishStagingTables } from './staging.ts'

interface PostgresTarget {
  databaseUrl: string
  throwIfAborted?: (() => void) | undefined
}

const tables = recordTypes
  .map((type) => `"${recordTables[type].name}"`)
  .concat('"ApiKeyItem"')
  .join(', ')

/** How long an import waits for another writer. */
const lockTimeoutMs = 5000

const writeCount = async (client: Client): Promise<string> => {
  const { rows } = await client.query('SELECT last_value, is_called FROM "write_count"')
  return JSON.stringify(rows[0])
}

/** Waits for open writes: any later write takes another number. */
const versionOf = (client: Client) =>
  inTransaction(client, 'BEGIN', async () => {
    await client.query(`LOCK TABLE ${tables} IN SHARE MODE`)
    return writeCount(client)
  })

/** This many changed rows make plans wrong. */
const manyRows = 10_000

/** The statistics are from before the import; the next request would be planned by them. */
async function analyse(client: Client, counts: ImportCounts) {
  for (const type of recordTypes) {
    const { created, updated } = counts[type]
    if (created + updated >= manyRows) await client.query(`ANALYZE "${recordTables[type].name}"`)
  }
}

function createTarget(client: Client, { throwIfAborted }: PostgresTarget): ImportTarget {
  const select = selectOn(client)
  const run = <Result>(steps: SqlSteps<Result>) =>
    runStepsAsync(steps, (sql, ...values) => {
      throwIfAborted?.()
      return select<Row>(sql, ...values)
    })
  const writer = createCopyWriter(client)

  async function hashIn(table: string, username: string, more = '') {
    const { rows } = await client.query(
      `SELECT "passwordHash" FROM ${table} WHERE "username" = $1 ${more} LIMIT 1`,
      [username],
    )
    return rows[0]?.passwordHash ?? undefined
  }

  return {
    dialect,
    writer,
    passwords: {
      async staged(username) {
        await writer.end()
        return hashIn('pg_temp.account', username, `AND "passwordHash" LIKE '$%'`)
      },
      stored: (username) => hashIn('"Account"', username),
    },
    async check(prepare, check) {
      await finishStagingTables(client)
      await run(prepare)
      const version = await versionOf(client)
      return inTransaction(client, 'BEGIN ISOLATION LEVEL REPEATABLE READ', async () => ({
        plan: await run(check),
        version,
      }))
    },
    copy: (stepsAt) =>
      inTransaction(client, 'BEGIN', async () => {
        await takeWriteLock(client)
        // Writers that do not take our lock, such as psql, wait as well. Readers do not.
        await client.query(`LOCK TABLE ${tables} IN SHARE ROW EXCLUSIVE MODE`)
        const counts = await run(stepsAt(await writeCount(client)))
        await analyse(client, counts)
        throwIfAborted?.()
        return counts
      }),
  }
}

export const withPostgresTarget = <Result>(
  options: PostgresTarget,
  act: (target: ImportTarget) => Promise<Result>,
): Promise<Result> =>
  withConnection(readAddress(options.databaseUrl), { lockTimeoutMs }, async (client) => {
    await createStagingTables(client)
    return act(createTarget(client, options))
  })
