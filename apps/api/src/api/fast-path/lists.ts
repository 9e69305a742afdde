import type { Shape } from '@saleproof/schema'
import { bodyTag, type Encoding, encode } from '../../http/response.ts'
import { createCache } from './cache.ts'
import { changeList, type Entry, type ListBytes } from './changed-list.ts'
import type { CachedKey } from './keys.ts'
import { itemJson } from './rows.ts'
import type { Statements } from './statements.ts'

/** The response of `items/all`, and its compressed forms as they are requested. */
export interface List {
  catalogue: number
  bytes: Buffer
  tag: string
  encoded: Map<Encoding, Promise<Buffer>>
}

export const listBytes = 96 * 1024 * 1024
/** The key of a list in its cache. */
export const listName = (workspaceId: number, shape: Shape) => `${workspaceId}:${shape}`

/** The list whose response has these bytes. */
export const createList = (bytes: Buffer, catalogue: number): List => ({
  catalogue,
  bytes,
  tag: bodyTag(bytes),
  encoded: new Map(),
})

/** With its compressed forms, and what is known of its items. */
export const sizeOfList = ({ bytes }: List) => bytes.length * 1.5

/** The bytes in an encoding. Requests that come while they are compressed share one promise. */
export function encodeList({ bytes, encoded }: List, encoding: Encoding): Promise<Buffer> | Buffer {
  if (encoding === 'identity') return bytes
  const kept = encoded.get(encoding)
  if (kept) return kept
  const pending = encode(bytes, encoding)
  encoded.set(encoding, pending)
  pending.catch(() => encoded.delete(encoding))
  return pending
}

/** A workspace, and the revision of its items. */
type Catalogue = Pick<CachedKey, 'workspaceId' | 'catalogue'>

type KeptList = List & { entries: readonly Entry[] }

function parseEntry(line: string): Entry {
  const [id, publishedAt, length] = line.split(' ')
  return { id: Number(id), publishedAt: Number(publishedAt), length: Number(length) }
}

/** After more changes a list is made as a whole: that costs less for each item. */
const manyChanges = 500

/** Lists, kept as bytes; of those whose catalogue has changed only the items that did are made again. */
export function createLists({ statements }: { statements: Statements }) {
  const lists = createCache<KeptList>(listBytes, sizeOfList)

  function read(workspaceId: number, shape: Shape): ListBytes | undefined {
    const row = statements.list[shape].get(workspaceId)
    return row && { bytes: row.bytes, entries: row.entries?.split('\n').map(parseEntry) ?? [] }
  }

  function update(list: KeptList, workspaceId: number, shape: Shape): ListBytes | undefined {
    const changed = statements.changedItems.all(workspaceId, list.catalogue).map((row) => row.itemId)
    if (changed.length > manyChanges) return undefined
    const items = changed.flatMap((id) => {
      const row = statements.item.get(workspaceId, id)
      if (!row || row.withdrawnAt !== null) return []
      const json = Buffer.from(itemJson[shape](row))
      return { id, publishedAt: row.publishedAt, length: json.length, json }
    })
    return changeList(list, new Set(changed), items)
  }

  return {
    /** The list of a workspace; undefined where it has no items. */
    list({ workspaceId, catalogue }: Catalogue, shape: Shape): List | undefined {
      const name = listName(workspaceId, shape)
      const kept = lists.get(name)
      if (kept?.catalogue === catalogue) return kept
      const found = (kept && update(kept, workspaceId, shape)) ?? read(workspaceId, shape)
      if (!found?.entries.length) return undefined
      const list = { ...createList(found.bytes, catalogue), entries: found.entries }
      lists.set(name, list)
      return list
    },
  }
}
