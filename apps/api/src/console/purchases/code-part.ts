import { minCodePart } from '@saleproof/schema/console'
import { raw, type Sql, sql } from '../sql.ts'

/** Holds for some purchases. */
export interface PurchaseCondition {
  condition: Sql
  /** The same condition or a wider one, which an index decides. */
  indexed: Sql
}

/** Holds for purchases of some customers. */
export interface CustomerCondition {
  condition: Sql
  /** Queries of the codes of all these purchases, and of others: one for each word. */
  words: readonly Sql[]
}

/** After every text that begins with the same characters. */
export const lastCharacter = '\u{10ffff}'

/** The index has as many characters as a search takes at least. */
const endsWith = (characters: readonly string[]) =>
  sql`substr("code", length("code") - ${raw(characters.length - 1)}) = ${characters.join('')}`

function codeConditions(text: string): PurchaseCondition[] {
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
export function isCode(code: string): PurchaseCondition[] {
  const condition = sql`"code" = ${code}`
  return [{ condition, indexed: condition }]
}

/** Codes have fewer groups, and a statement has a limited number of queries. */
const maxGroups = 9

/** Conditions of which one holds for each code with a group more between two groups of the text. */
function lacksGroup(text: string): PurchaseCondition[] {
  const dashes = Array.from(text.matchAll(/-/g), ({ index }) => index).slice(0, maxGroups)
  return dashes.flatMap((dash) => {
    const begin = text.slice(0, dash + 1)
    const [, ends] = codeConditions(text.slice(dash))
    if (!ends || [...text.slice(dash)].length < minCodePart) return []
    // Not as a range: the database would read all codes that begin like this, in place of the few that end so.
    const begins = sql`substr("code", 1, ${raw([...begin].length)}) = ${begin}`
    return [{ condition: sql`(${ends.condition} AND ${begins})`, indexed: ends.indexed }]
  })
}

const inEachCase = (text: string) => [...new Set([text, text.toUpperCase(), text.toLowerCase()])]

/** Like `isPartOfCode`, and for codes of which a group in the middle is missing as well. */
export const isCutCode = (text: string): PurchaseCondition[] =>
  [...text].length < minCodePart
    ? []
    : inEachCase(text).flatMap((each) => [...codeConditions(each), ...lacksGroup(each)])

/**
 * Conditions of which one holds for each code that begins or ends with what was typed, as it is and in upper and lower case. Of what is too
 * short for that, one for the code itself.
 */
export const isPartOfCode = (text: string): PurchaseCondition[] =>
  [...text].length < minCodePart ? isCode(text) : inEachCase(text).flatMap(codeConditions)
