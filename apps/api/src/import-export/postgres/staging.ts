import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Client } from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { copyLine } from '../../db/postgres/copy-text.ts'
import { fromPostgres } from '../../db/postgres/errors.ts'
import { recordTables, recordTypes } from '../../records/tables.ts'
import { postgresql } from '../dialect.ts'
import { createStaging, stagingTables } from '../staged.ts'
import type { StagingWriter } from '../target.ts'

/** Tables of this connection alone, which end with it. Nothing of them is written to the log of the server. */
export async function createStagingTables(client: Client) {
  await client.query(`SET temp_buffers = '64MB'`)
  for (const sql of createStaging(postgresql)) await client.query(sql)
}

export async function indexStagingTables(client: Client) {
  for (const type of recordTypes)
    await client.query(`CREATE INDEX ON pg_temp.${type} ("${recordTables[type].identity.column}")`)
  await client.query('CREATE INDEX ON pg_temp.sold_item ("itemId")')
  await client.query(`ANALYZE ${stagingTables.map((name) => `pg_temp.${name}`).join(', ')}`)
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

  async function send() {
    for (const [table, lines] of held) await copyInto(client, table, lines)
    held.clear()
    length = 0
  }

  return {
    begin() {},
    end: send,
    flushIfNeeded: () => (length > heldLength ? send() : undefined),
    add(type, line, row) {
      const text = copyLine([line, ...row])
      const lines = held.get(type)
      if (lines) lines.push(text)
      else held.set(type, [text])
      length += text.length
    },
  }
}
