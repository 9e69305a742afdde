import type { QueryParameter } from '../db/database.ts'

/** A piece of SQL with a `?` for each of its values. */
export interface Sql {
  text: string
  values: readonly QueryParameter[]
}

export const sql = (text: string, ...values: QueryParameter[]): Sql => ({ text, values })

export const join = (pieces: readonly Sql[], separator: string) =>
  pieces.map(({ text }) => text).join(separator)

export const valuesOf = (pieces: readonly Sql[]): QueryParameter[] => pieces.flatMap(({ values }) => values)

/** A whole query, as `Read` takes it. */
export function numbered(text: string): string {
  let count = 0
  return text.replaceAll('?', () => `$${++count}`)
}
