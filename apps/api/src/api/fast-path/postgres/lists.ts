import { setImmediate as afterOthers } from 'node:timers/promises'
import type { Shape } from '@saleproof/schema'
import { createCache } from '../cache.ts'
import { type List, listOf, sizeOfList } from '../lists.ts'
import { itemJson, listHead, listTail } from '../rows.ts'
import { statements } from './queries.ts'
import type { RawRow } from './raw-connection.ts'

const listBytes = 96 * 1024 * 1024

/** How many items are written before other requests get a turn. */
const batch = 200

/** What no catalogue has for its number. */
const unknown = '-1'

const { read } = statements.list

interface Place {
  workspaceId: string
  shape: Shape
}

interface Piece {
  json: string
  bytes: number
}

const head = Buffer.from(listHead)
const tail = Buffer.from(listTail)

function join(pieces: readonly Piece[]): Buffer {
  const length = pieces.reduce((sum, piece) => sum + piece.bytes + 1, head.length + tail.length - 1)
  const bytes = Buffer.allocUnsafe(length)
  let offset = head.copy(bytes)
  for (const [index, { json }] of pieces.entries()) {
    if (index > 0) offset += bytes.write(',', offset, 'latin1')
    offset += bytes.write(json, offset)
  }
  tail.copy(bytes, offset)
  return bytes
}

async function piecesOf(rows: readonly RawRow[], shape: Shape) {
  const pieces: Piece[] = []
  for (const row of rows) {
    const item = read.item(row)
    if (!item) continue
    const json = itemJson[shape](item)
    pieces.push({ json, bytes: Buffer.byteLength(json) })
    if (pieces.length % batch === 0) await afterOthers()
  }
  return pieces
}

/** Lists, kept as bytes for as long as the catalogue has the same number, which the database says with each answer. */
export function createPostgresLists() {
  const lists = createCache<List>({ bytes: listBytes, sizeOf: sizeOfList })
  const nameOf = ({ workspaceId, shape }: Place) => `${workspaceId}:${shape}`
  // An answer may look twice: of the cache itself it cannot be read how many answers it gave.
  let hits = 0
  let misses = 0

  return {
    /** The number of the catalogue that is kept of a place. */
    known: (place: Place | undefined) => String((place && lists.get(nameOf(place))?.catalogue) ?? unknown),

    /** The list that was known; undefined where it is not of this place. */
    kept: (place: Place, known: string): List | undefined => {
      const list = lists.get(nameOf(place))
      if (!list || String(list.catalogue) !== known) return undefined
      hits++
      return list
    },

    /** The list that was read; undefined where there are no items. */
    async read(rows: readonly RawRow[], place: Place): Promise<List | undefined> {
      misses++
      const pieces = await piecesOf(rows, place.shape)
      if (pieces.length === 0) return undefined
      const catalogue = rows[0] && read.catalogue(rows[0])
      const list = listOf(join(pieces), Number(catalogue ?? unknown))
      if (catalogue != null) lists.set(nameOf(place), list)
      return list
    },

    stats: () => ({ lists: { ...lists.stats(), hits, misses } }),
  }
}
