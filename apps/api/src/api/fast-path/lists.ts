import type { Shape } from '@saleproof/schema'
import { bodyTag, type Encoding, encode } from '../../http/response.ts'
import { createCache } from './cache.ts'
import type { Statements } from './statements.ts'
import type { Workspace } from './workspaces.ts'

/** The response of `items/all`, and its compressed forms as they are requested. */
export interface List {
  catalogue: number
  bytes: Buffer
  tag: string
  encoded: Map<Encoding, Promise<Buffer>>
}

const listBytes = 96 * 1024 * 1024
/** The list whose response has these bytes. */
export const listOf = (bytes: Buffer, catalogue: number): List => ({
  catalogue,
  bytes,
  tag: bodyTag(bytes),
  encoded: new Map(),
})

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

/** Lists, kept as bytes for as long as the catalogue is unchanged. */
export function createLists({ statements }: { statements: Statements }) {
  const lists = createCache<List>({ bytes: listBytes, sizeOf: sizeOfList })

  return {
    /** The list of a workspace; undefined where it has no items. */
    list(workspace: Workspace, shape: Shape): List | undefined {
      const name = `${workspace.id}:${shape}`
      const kept = lists.get(name)
      if (kept?.catalogue === workspace.catalogue) return kept
      const row = statements.list[shape].get(workspace.id)
      if (!row?.count) return undefined
      const list = listOf(row.bytes, workspace.catalogue)
      lists.set(name, list)
      return list
    },

    encode: encodeList,

    stats: () => ({ lists: lists.stats() }),
  }
}

export type Lists = ReturnType<typeof createLists>
