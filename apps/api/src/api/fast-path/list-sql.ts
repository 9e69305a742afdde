import type { Shape } from '@saleproof/schema'
import { itemTable } from '../../records/item.ts'
import { type JsonPiece, jsonPieces, shownFields, writeCondition } from '../../records/json.ts'
import { listHead, listTail } from './rows.ts'

const literal = (text: string) => `'${text.replaceAll("'", "''")}'`

function pieceSql(piece: JsonPiece): string {
  if (typeof piece === 'string') return literal(piece)
  const { field, column, condition, before } = piece
  const written = `${literal(before)} || ${field.codec.jsonSql(`"${column}"`)}`
  const test = writeCondition(condition, 'sql', `"${column}"`)
  return test ? `iif(${test}, ${written}, '')` : written
}

/** An item as `itemJson` writes it. */
const itemSql = (shape: Shape) =>
  `concat(${jsonPieces(shownFields(itemTable, shape)).map(pieceSql).join(', ')})`

/**
 * The response that lists the items of a workspace; NULL where it has none. SQLite puts it together: to hand ten thousand rows of twenty
 * columns to JavaScript and to write their JSON there takes more than twice as long, and more memory. A property test compares the bytes
 * with those of the routes. SQLite keeps the order of a subquery for `group_concat`; asked to order by itself it would sort whole texts.
 */
export const listSql = (shape: Shape) => `
  SELECT CAST('${listHead}' || group_concat(item, ',') || '${listTail}' AS BLOB) AS bytes
  FROM (SELECT ${itemSql(shape)} AS item FROM Item
    WHERE workspaceId = ? AND withdrawnAt IS NULL ORDER BY publishedAt DESC, id DESC)`
