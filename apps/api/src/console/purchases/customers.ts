import type { Read } from '../../db/database.ts'
import { customerColumns, wordSeparators, wordsIn } from '../../domain/customers.ts'
import { cappedCount } from '../capped-count.ts'
import { join, raw, type Sql, select, sql } from '../sql.ts'
import { type CustomerCondition, lastCharacter } from './code-part.ts'

const customerText = `lower(concat_ws(' ', '', ${customerColumns.join(', ')}))`

const customerWords = wordSeparators.reduce(
  (text, separator) => `replace(${text}, '${separator}', ' ')`,
  customerText,
)

const lowerAscii = (text: string) => text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())

/** A word as it may be stored: the database knows the lower case of ASCII alone. */
const spellings = (word: string) => [
  ...new Set([word, word.toUpperCase(), word.toLowerCase()].map(lowerAscii)),
]

const or = (conditions: readonly Sql[]) => sql`(${join(conditions, ' OR ')})`

const inWords = (workspaceId: number, condition: Sql) =>
  sql`SELECT "code" FROM "PurchaseWord" WHERE "workspaceId" = ${workspaceId} AND ${condition}`

/** Holds for purchases with words about their customers that begin with each word of a text. */
export function isOfCustomer(workspaceId: number, text: string): CustomerCondition[] {
  const words = wordsIn(text)
  if (words.length === 0) return []
  const like = (text: string, pattern: string) => sql`${raw(text)} LIKE ${pattern} ESCAPE '\\'`
  const holds = (word: string) =>
    or(
      spellings(word).map((each) => {
        const part = each.replace(/[\\%_]/g, '\\$&')
        // To look for the word alone takes half as long, and few have it.
        return sql`${like(customerText, `%${part}%`)} AND ${like(customerWords, `% ${part}%`)}`
      }),
    )
  // Not with OR: SQLite would read all words of the workspace.
  const found = (word: string) =>
    join(
      spellings(word).map((each) =>
        inWords(workspaceId, sql`"word" >= ${each} AND "word" < ${each + lastCharacter}`),
      ),
      ' UNION ALL ',
    )
  return [{ condition: join(words.map(holds), ' AND '), words: words.map(found) }]
}

const sqlList = (values: readonly string[]) =>
  join(
    values.map((value) => sql`${value}`),
    ', ',
  )

/** As many words as are looked up at once. */
const maxWords = 50

/** The purchases of the customer whose e-mail address, or whose order number, is in a text, and by what they are found. */
export async function findCustomer(read: Read, workspaceId: number, text: string) {
  // From the beginning of a word alone: from each character it would be read again.
  const address = /(?<![^\s@<>()",;:])[^\s@<>()",;:]+@[^\s@<>()",;:]+[^\s@<>()",;:.!?]/g
  const addresses = text.toLowerCase().match(address) ?? []
  const orders = wordsIn(lowerAscii(text).replaceAll(/[\s<>,;:]+/g, ' '))
    .map((word) => word.replace(/(?<![.!?)])[.!?)]+$/, ''))
    .filter((word) => /\d/.test(word) && word.length > 2)
  const choices = [
    { column: '"customerEmail"', values: addresses.slice(0, maxWords) },
    { column: `ltrim(lower("customerOrder"), '#')`, values: orders.slice(0, maxWords) },
  ]
  const purchases = (column: string, values: readonly string[]) => {
    const words = values.flatMap(wordsIn)
    return sql`SELECT ${raw(column)} AS "found" FROM "Purchase" WHERE "workspaceId" = ${workspaceId}
      AND "code" IN (${inWords(workspaceId, sql`"word" IN (${sqlList(words)})`)}) AND ${raw(column)} IN (${sqlList(values)})`
  }
  for (const { column, values } of choices) {
    if (values.length === 0) continue
    const [row] = await select<{ found: string }>(read, sql`${purchases(column, values)} LIMIT 1`)
    if (row) return { search: row.found, count: await cappedCount(read, purchases(column, [row.found])) }
  }
  return undefined
}
