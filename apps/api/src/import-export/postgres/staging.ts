import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Client } from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { copyLine } from '../../db/postgres/copy-text.ts'
import { fromPostgres } from '../../db/postgres/errors.ts'
import { type ColumnValue, stagedColumns } from '../../records/columns.ts'
import { type RecordType, recordTables, recordTypes } from '../../records/tables.ts'
import type { StagingWriter } from '../target.ts'

export const columnTypes = {
  text: 'text COLLATE "C"',
  integer: 'bigint',
  boolean: 'boolean',
  bytes: 'bytea',
} as const

const definition = (type: RecordType) =>
  stagedColumns(recordTables[type])
    .map((column) => `"${column.name}" ${columnTypes[column.type]}`)
    .join(', ')

/** Tables of this connection alone, which end with it. Nothing of them is written to the log of the server. */
export async function createStagingTables(client: Client) {
  await client.query(`SET temp_buffers = '64MB'`)
  for (const type of recordTypes)
    await client.query(`CREATE TEMP TABLE ${type} ("line" bigint, ${definition(type)})`)
  await client.query('CREATE TEMP TABLE sold ("itemId" bigint, "line" bigint)')
  await client.query('CREATE TEMP TABLE bound ("line" bigint, "itemId" bigint)')
}

/** Removes duplicates and creates indexes. */
export async function finishStagingTables(client: Client) {
  await client.query(`CREATE TEMP TABLE sold_item AS
    SELECT "itemId", min("line") AS "line", NULL::text COLLATE "C" AS "slug", NULL::integer AS "workspaceId"
    FROM sold GROUP BY "itemId"`)
  await client.query('CREATE TEMP TABLE bound_item AS SELECT DISTINCT "line", "itemId" FROM bound')
  for (const type of recordTypes)
    await client.query(`CREATE INDEX ON pg_temp.${type} ("${recordTables[type].identity.column}")`)
  await client.query('CREATE INDEX ON sold_item ("itemId")')
  await client.query('CREATE INDEX ON bound_item ("line")')
  await client.query(
    `ANALYZE ${[...recordTypes.map((type) => `pg_temp.${type}`), 'sold_item', 'bound_item'].join(', ')}`,
  )
}

/** In characters, before they are sent. */
const heldLength = 1 << 20

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

/** Writes rows into staging, a table at a time, each by COPY. */
export function createCopyWriter(client: Client): StagingWriter {
  const held = new Map<string, string[]>()
  let length = 0

  function hold(table: string, values: readonly ColumnValue[]) {
    const line = copyLine(values)
    const lines = held.get(table)
    if (lines) lines.push(line)
    else held.set(table, [line])
    length += line.length
  }

  async function send() {
    for (const [table, lines] of held) await copyInto(client, table, lines)
    held.clear()
    length = 0
  }

  return {
    begin() {},
    end: send,
    flushIfNeeded: () => (length > heldLength ? send() : undefined),
    add: (type, line, row) => hold(type, [line, ...row]),
    addSoldItem: (line, itemId) => hold('sold', [itemId, line]),
    addKeyItem: (line, itemId) => hold('bound', [line, itemId]),
  }
}
