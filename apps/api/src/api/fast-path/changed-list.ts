import { listHead, listTail } from './rows.ts'

/** An item of a list, and how many bytes it takes there. */
export interface Entry {
  id: number
  publishedAt: number
  length: number
}

/** A list as bytes, and the items in them in their order. */
export interface ListBytes {
  bytes: Buffer
  entries: readonly Entry[]
}

interface ListedItem extends Entry {
  json: Buffer
}

/** The order of lists: the item published last comes first, and of several the one with the highest id. */
const compare = (a: Entry, b: Entry) => b.publishedAt - a.publishedAt || b.id - a.id

const head = Buffer.from(listHead)
const comma = Buffer.from(',')
const tail = Buffer.from(listTail)

/** A list without some items and with others. Of the rest it copies the bytes: to make the JSON of ten thousand items takes far longer. */
export function changeList(
  { bytes, entries }: ListBytes,
  removed: ReadonlySet<number>,
  added: readonly ListedItem[],
): ListBytes {
  let next = listHead.length
  const kept = entries.flatMap((entry): ListedItem[] => {
    const start = next
    next += entry.length + 1
    return removed.has(entry.id) ? [] : [{ ...entry, json: bytes.subarray(start, start + entry.length) }]
  })
  const items = [...kept, ...added].sort(compare)
  const pieces = items.flatMap(({ json }, index) => (index === 0 ? [json] : [comma, json]))
  return {
    bytes: Buffer.concat([head, ...pieces, tail]),
    entries: items.map(({ id, publishedAt, length }) => ({ id, publishedAt, length })),
  }
}
