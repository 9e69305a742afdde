import { minCodePart } from '@saleproof/schema/console'
import { raw, type Sql, sql } from '../sql.ts'

/** Holds for some codes. */
export interface CodeCondition {
  condition: Sql
  /** The same condition or a wider one, which an index alone decides. */
  indexed: Sql
}

/** After every text that begins with the same characters. */
const lastCharacter = '\u{10ffff}'

/** The index has as many characters as a search takes at least. */
const endsWith = (characters: readonly string[]) =>
  sql`substr("code", length("code") - ${raw(characters.length - 1)}) = ${characters.join('')}`

function conditionsOf(text: string): CodeCondition[] {
  const characters = [...text]
  const begins = sql`("code" >= ${text} AND "code" < ${text + lastCharacter})`
  const indexed = endsWith(characters.slice(-minCodePart))
  const ends = characters.length === minCodePart ? indexed : sql`(${indexed} AND ${endsWith(characters)})`
  return [
    { condition: begins, indexed: begins },
    { condition: ends, indexed },
  ]
}

/** Holds for one code alone. */
export function isCode(code: string): CodeCondition[] {
  const condition = sql`"code" = ${code}`
  return [{ condition, indexed: condition }]
}

/**
 * Conditions of which one holds for each code that begins or ends with what was typed, as it is and in upper and lower case. Of what is too
 * short for that, one for the code itself.
 */
export const isPartOfCode = (text: string): CodeCondition[] =>
  [...text].length < minCodePart
    ? isCode(text)
    : [...new Set([text, text.toUpperCase(), text.toLowerCase()])].flatMap(conditionsOf)
