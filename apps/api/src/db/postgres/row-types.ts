import pg from 'pg'
import { parseBool, parseTimestamptz } from '../../postgres-text.ts'
import { createSql, type Sql, type Statement } from '../sql.ts'
import type { Queryable } from './primary.ts'

/** Types by their numbers in the catalogue of PostgreSQL. */
const parsers: Readonly<Record<number, (text: string) => unknown>> = {
  // bool
  16: parseBool,
  // int8: none of ours is past what a number holds
  20: Number,
  // json: as it was written
  114: (text) => text,
  // timestamptz
  1184: parseTimestamptz,
}

/** Rows as those of an SQLite file: what is done with them need not know where they are from. */
export const rowTypes: pg.CustomTypesConfig = {
  // The type is that of the driver’s overloads, one of them for binary values, which nothing here asks for.
  getTypeParser: ((id: number, format?: 'text') =>
    parsers[id] ?? pg.types.getTypeParser(id, format)) as never,
}

export const selectOn =
  (database: Queryable) =>
  async <Row>(...[text, ...values]: Statement): Promise<Row[]> => {
    const { rows } = await database.query({ text, values, types: rowTypes })
    // The caller knows the columns of its query.
    return rows
  }

export const sqlOn = (database: Queryable): Sql => createSql(selectOn(database))
