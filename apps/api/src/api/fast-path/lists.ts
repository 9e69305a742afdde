import type { Shape } from '@saleproof/schema'
import { bodyTag, type Encoding, encode } from '../../http/response.ts'
import { createCache } from './cache.ts'
import type { CachedKey } from './keys.ts'
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

/** With its compressed forms. */
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

/** Lists, kept as bytes until their catalogue has changed. */
export function createLists({ statements }: { statements: Statements }) {
  const lists = createCache<List>(listBytes, sizeOfList)
  return {
    /** The list of a workspace; undefined where it has no items. */
    list({ workspaceId, catalogue }: Catalogue, shape: Shape): List | undefined {
      const name = listName(workspaceId, shape)
      const kept = lists.get(name)
      if (kept?.catalogue === catalogue) return kept
      const bytes = statements.list[shape].get(workspaceId)?.bytes
      if (!bytes) return undefined
      const list = createList(bytes, catalogue)
      lists.set(name, list)
      return list
    },
  }
}
