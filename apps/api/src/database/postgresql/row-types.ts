import pg from 'pg'
import { isoYear } from './connection.ts'

/** Types by their numbers in the catalogue of PostgreSQL. */
const parsers: Readonly<Record<number, (text: string) => unknown>> = {
  // bool, as 0 and 1
  16: (text) => (text === 't' ? 1 : 0),
  // int8: none of ours is past what a number holds
  20: Number,
  // json: its text
  114: (text) => text,
  // timestamptz, of a session in UTC: ISO 8601
  1184: (text) => isoYear(text).replace(' ', 'T').replace(/\+00$/, '+00:00'),
}

/** Rows as those of SQLite are: what is done with them need not know where they are from. */
export const rowTypes: pg.CustomTypesConfig = {
  getTypeParser: ((id: number, format?: 'text') =>
    parsers[id] ?? pg.types.getTypeParser(id, format)) as never,
}
