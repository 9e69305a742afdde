import { listHead, listTail } from './rows.ts'

/** An item of a list, and how many bytes it takes there. */
export interface Entry {
  id: number
  publishedAt: string
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
const compare = (a: Entry, b: Entry) =>
  a.publishedAt === b.publishedAt ? b.id - a.id : a.publishedAt < b.publishedAt ? 1 : -1

const comma = Buffer.from(',')

/** A list without some items and with others. It copies the bytes of the rest: to make ten thousand items anew takes five times as long. */
export function changeList(
  { bytes, entries }: ListBytes,
  removed: ReadonlySet<number>,
  items: readonly ListedItem[],
): ListBytes {
  let end = listHead.length - 1
  const kept = entries.map((entry) => {
    // Behind the bracket or the comma.
    const start = end + 1
    end = start + entry.length
    return { ...entry, json: bytes.subarray(start, end) }
  })
  const changed = [...kept.filter(({ id }) => !removed.has(id)), ...items].sort(compare)
  const pieces = changed.flatMap(({ json }) => [comma, json]).slice(1)
  return {
    bytes: Buffer.concat([Buffer.from(listHead), ...pieces, Buffer.from(listTail)]),
    // Without the JSON, which would keep the old list in memory.
    entries: changed.map(({ id, publishedAt, length }) => ({ id, publishedAt, length })),
  }
}
