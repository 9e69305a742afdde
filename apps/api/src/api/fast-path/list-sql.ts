import { currencyCodes, currencyDigits, type Shape } from '@saleproof/schema'
import type { Condition } from '@saleproof/schema/records'
import type { Storage } from '../../records/field-types.ts'
import { itemTable } from '../../records/item.ts'
import { type JsonPiece, jsonPieces, shownFields } from '../../records/json.ts'
import { listHead, listTail } from './rows.ts'

const codesOf = (digits: number) =>
  currencyCodes
    .filter((code) => currencyDigits(code) === digits)
    .map((code) => `'${code}'`)
    .join(', ')

/** An amount with so many digits after the point, without those that say nothing: `1950` of 2 is `19.5`. */
function decimal(column: string, digits: number): string {
  const unit = 10 ** digits
  const fraction = `rtrim('.' || substr('${'0'.repeat(digits)}' || (${column} % ${unit}), -${digits}), '0')`
  return `(${column} / ${unit}) || iif(${column} % ${unit} = 0, '', ${fraction})`
}

/** An amount of minor units as the number that JSON has of it. */
export const amountSql = (column: string) => `(CASE
  WHEN currency IN (${codesOf(0)}) THEN ${column}
  WHEN currency IN (${codesOf(3)}) THEN ${decimal(column, 3)}
  WHEN currency IN (${codesOf(4)}) THEN ${decimal(column, 4)}
  ELSE ${decimal(column, 2)} END)`

const quoted = (column: string) => `json_quote(${column})`

const values: Readonly<Record<Storage, (column: string) => string>> = {
  text: quoted,
  enum: quoted,
  integer: (column) => column,
  money: amountSql,
  boolean: (column) => `iif(${column}, 'true', 'false')`,
  timestamp: (column) => `strftime('"%Y-%m-%dT%H:%M:%SZ"', ${column} / 1000.0, 'unixepoch')`,
  json: (column) => column,
}

const conditions: Readonly<Record<Condition, (column: string) => string>> = {
  always: () => 'TRUE',
  set: (column) => `${column} IS NOT NULL`,
  not_empty: (column) => `${column} <> '[]'`,
  not_audio: () => `kind <> 'audio'`,
  video_only: (column) => `kind = 'video' AND ${column} IS NOT NULL`,
  audio_only: (column) => `kind = 'audio' AND ${column} IS NOT NULL`,
  with_support: (column) => `support AND ${column} IS NOT NULL`,
}

const literal = (text: string) => `'${text.replaceAll("'", "''")}'`

function pieceSql(piece: JsonPiece): string {
  if (typeof piece === 'string') return literal(piece)
  const { field, column, condition, before } = piece
  const written = `${literal(before)} || ${values[field.storage](`"${column}"`)}`
  return condition === 'always' ? written : `iif(${conditions[condition](`"${column}"`)}, ${written}, '')`
}

/** An item as `itemJson` writes it. */
const itemSql = (shape: Shape) =>
  `concat(${jsonPieces(shownFields(itemTable, shape)).map(pieceSql).join(', ')})`

/**
 * The response that lists the items of a workspace, and in its order the id, time and length of each item, on a line each. SQLite puts it together: to hand ten thousand rows of twenty
 * columns to JavaScript and to write their JSON there takes more than twice as long, and more memory. A property test compares the bytes
 * with those of the routes. SQLite keeps the order of a subquery for `group_concat`; asked to order by itself it would sort whole texts.
 */
export const listSql = (shape: Shape) => `
  SELECT group_concat(concat(id, ' ', publishedAt, ' ', octet_length(item)), char(10)) AS entries,
    CAST(concat('${listHead}', group_concat(item, ','), '${listTail}') AS BLOB) AS bytes
  FROM (SELECT id, publishedAt, ${itemSql(shape)} AS item FROM Item
    WHERE workspaceId = ? AND withdrawnAt IS NULL ORDER BY publishedAt DESC, id DESC)`
