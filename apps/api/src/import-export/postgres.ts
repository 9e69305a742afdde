import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Client } from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { readAddress } from '../db/postgres/address.ts'
import { withConnection } from '../db/postgres/connection.ts'
import { copyLine } from '../db/postgres/copy-text.ts'
import { fromPostgres } from '../db/postgres/errors.ts'
import { selectOn } from '../db/postgres/row-types.ts'
import { writeLock } from '../db/postgres/transactions.ts'
import { whileWorking } from '../db/postgres/working.ts'
import { createSql, transactOn } from '../db/sql.ts'
import type { ImportCounts } from '../domain/imports.ts'
import type { ColumnValue } from '../records/columns.ts'
import { recordTables, recordTypes } from '../records/tables.ts'
import { postgresql } from './dialect.ts'
import { createStaging, stagingTables } from './staged.ts'
import { type ImportTarget, readHash } from './target.ts'

interface PostgresTarget {
  databaseUrl: string
  signal?: AbortSignal | undefined
}

/** Tables of this connection alone, which end with it. Nothing of them is written to the log of the server. */
async function createStagingTables(client: Client) {
  await client.query(`SET temp_buffers = '64MB'`)
  for (const sql of createStaging(postgresql)) await client.query(sql)
}

async function indexStagingTables(client: Client) {
  for (const type of recordTypes)
    await client.query(`CREATE INDEX ON pg_temp.${type} ("${recordTables[type].identity.column}")`)
  await client.query('CREATE INDEX ON pg_temp.sold_item ("itemId")')
  await client.query(`ANALYZE ${stagingTables.map((name) => `pg_temp.${name}`).join(', ')}`)
}

/** Whatever ends a copy of what is held in memory is the connection or the server. */
async function copyInto(client: Client, table: string, lines: readonly string[]) {
  try {
    await pipeline(
      Readable.from([Buffer.from(lines.join(''))]),
      client.query(copyFrom(`COPY pg_temp.${table} FROM STDIN`)),
    )
  } catch (error) {
    throw fromPostgres(error)
  }
}

/** In characters, before they are sent. */
const heldLength = 1 << 20

/** Holds rows, and sends them into staging, a table at a time, each by COPY. */
function createStagingWriter(client: Client) {
  const held = new Map<string, string[]>()
  let length = 0
  async function flush() {
    for (const [table, lines] of held) await copyInto(client, table, lines)
    held.clear()
    length = 0
  }
  return {
    flush,
    flushIfNeeded: () => (length > heldLength ? flush() : undefined),
    stage(table: string, line: number, row: readonly ColumnValue[]) {
      const text = copyLine([line, ...row])
      const lines = held.get(table)
      if (lines) lines.push(text)
      else held.set(table, [text])
      length += text.length
    },
  }
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
  const { stage, flush, flushIfNeeded } = createStagingWriter(client)
  const sql = createSql(async (...statement) => {
    signal?.throwIfAborted()
    return select(...statement)
  })

  return {
    dialect: { ...postgresql, analyse: (table) => `ANALYZE ${table}` },
    stage,
    flushIfNeeded,
    storedHash: (username) => readHash(sql, username),
    async check(check) {
      await flush()
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
