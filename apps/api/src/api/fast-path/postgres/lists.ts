import { setImmediate as afterOthers } from 'node:timers/promises'
import type { Shape } from '@saleproof/schema'
import { type List, listOf } from '../lists.ts'
import { itemJson, listHead, listTail } from '../rows.ts'
import { statements } from './queries.ts'
import type { RawRow } from './raw-connection.ts'

/** How many items are written before other requests get a turn. */
const batch = 200

/** What no catalogue has for its number. */
export const unknownCatalogue = -1

const { read } = statements.list

/** The response that lists the items of rows, with the number of their catalogue; undefined where there are none. */
export async function listFrom(rows: readonly RawRow[], shape: Shape): Promise<List | undefined> {
  const items: string[] = []
  for (const row of rows) {
    const item = read.item(row)
    if (item && items.push(itemJson[shape](item)) % batch === 0) await afterOthers()
  }
  if (items.length === 0) return undefined
  const catalogue = rows[0] && read.catalogue(rows[0])
  return listOf(
    Buffer.from(`${listHead}${items.join(',')}${listTail}`),
    Number(catalogue ?? unknownCatalogue),
  )
}
