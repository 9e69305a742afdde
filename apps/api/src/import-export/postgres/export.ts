import type { Client } from 'pg'
import Cursor from 'pg-cursor'
import { readAddress } from '../../db/postgres/address.ts'
import { openConnection } from '../../db/postgres/connection.ts'
import { fromServer } from '../../db/postgres/errors.ts'
import { rowTypes } from '../../db/postgres/row-types.ts'
import { withoutTimeouts } from '../../db/postgres/transactions.ts'
import type { StoredRow } from '../../records/json.ts'
import { type ExportOptions, exportRows, type Select } from '../export.ts'

/** How many rows are asked for at once. */
const batch = 500

const selectOn = (client: Client): Select =>
  async function* select(sql, ...parameters) {
    const cursor = client.query(new Cursor<StoredRow>(sql, parameters, { types: rowTypes }))
    for (let rows = await cursor.read(batch); rows.length; rows = await cursor.read(batch)) yield rows
    await cursor.close()
  }

/** `exportRecords` of a PostgreSQL database: one snapshot of it, a few rows at a time. */
export async function* exportFromPostgres({
  databaseUrl,
  vault,
}: Omit<ExportOptions, 'databaseFile'> & { databaseUrl: string }): AsyncGenerator<string> {
  const client = await openConnection(readAddress(databaseUrl), { lockTimeoutMs: 5000 })
  try {
    await client.query(`BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; ${withoutTimeouts}`)
    yield* exportRows(selectOn(client), vault)
  } catch (error) {
    throw fromServer(error)
  } finally {
    await client.end()
  }
}
