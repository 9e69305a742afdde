import { minCodePart } from '@saleproof/schema/console'
import { type Sql, sql } from '../sql.ts'

/** Holds for the codes that begin, or end, with a text. */
export interface CodeCondition extends Sql {
  /** The same condition or a wider one, which an index alone decides. */
  indexed: Sql
}

/** After every text that begins with the same characters. */
const lastCharacter = '\u{10ffff}'

const end = (length: number) => `substr("code", length("code") - ${length - 1})`

function beginsWith(text: string): CodeCondition {
  const range = sql('("code" >= ? AND "code" < ?)', text, text + lastCharacter)
  return { ...range, indexed: range }
}

/** The index has as many characters as a search takes at least. */
function endsWith(text: string): CodeCondition {
  const characters = [...text]
  const indexed = sql(`${end(minCodePart)} = ?`, characters.slice(-minCodePart).join(''))
  if (characters.length === minCodePart) return { ...indexed, indexed }
  const whole = sql(`(${indexed.text} AND ${end(characters.length)} = ?)`, ...indexed.values, text)
  return { ...whole, indexed }
}

/**
 * Conditions of which one holds for each code that begins or ends with what was typed, as it is and in upper and lower case. Undefined
 * where it is too short.
 */
export function codeConditions(text: string): CodeCondition[] | undefined {
  if ([...text].length < minCodePart) return undefined
  const spellings = new Set([text, text.toUpperCase(), text.toLowerCase()])
  return [...spellings].flatMap((spelling) => [beginsWith(spelling), endsWith(spelling)])
}
