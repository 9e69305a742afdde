import type { Read } from '../db/database.ts'

type QueryParameter = string | number | Date | null

/** A piece of SQL: texts, and the parameters between them. */
export type Sql = readonly (string | { value: QueryParameter })[]

const isSql = (part: Sql | QueryParameter): part is Sql => Array.isArray(part)

/** A template of SQL. A piece becomes a part of it, anything else a parameter. */
export const sql = (texts: TemplateStringsArray, ...parts: readonly (Sql | QueryParameter)[]): Sql =>
  texts.flatMap((text, index) => {
    if (index === 0) return [text]
    const part = parts[index - 1] ?? null
    return [...(isSql(part) ? part : [{ value: part }]), text]
  })

/** A text that is SQL itself, such as the name of a column. */
export const raw = (text: string | number): Sql => [String(text)]

export const join = (pieces: readonly Sql[], separator: string): Sql =>
  pieces.flatMap((piece, index) => (index === 0 ? piece : [separator, ...piece]))

/** Rows of a query. */
export function select<Row>(read: Read, query: Sql): Promise<Row[]> {
  const parameters: QueryParameter[] = []
  const texts = query.map((part) => (typeof part === 'string' ? part : `$${parameters.push(part.value)}`))
  return read<Row>(texts.join(''), ...parameters)
}
