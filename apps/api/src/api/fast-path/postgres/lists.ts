import { setImmediate as afterOthers } from 'node:timers/promises'
import type { Shape } from '@saleproof/schema'
import { type List, listOf } from '../lists.ts'
import { itemJson, listHead, listTail } from '../rows.ts'
import { statements } from './queries.ts'
import type { RawRow } from './raw-connection.ts'

/** How many items are written before other requests get a turn. */
const batch = 200

const { read } = statements.list

/** The response that lists the items of rows, with the number of their catalogue, NaN where it has none; undefined where there are none. */
export async function listFrom(rows: readonly RawRow[], shape: Shape): Promise<List | undefined> {
  // Joined as texts they would take four times as long.
  const pieces: Buffer[] = []
  for (const row of rows) {
    const item = read.item(row)
    if (!item) continue
    pieces.push(Buffer.from((pieces.length ? ',' : listHead) + itemJson[shape](item)))
    if (pieces.length % batch === 0) await afterOthers()
  }
  if (pieces.length === 0) return undefined
  const catalogue = rows[0] && read.catalogue(rows[0])
  const bytes = Buffer.concat([...pieces, Buffer.from(listTail)])
  return listOf(bytes, Number(catalogue ?? Number.NaN))
}
