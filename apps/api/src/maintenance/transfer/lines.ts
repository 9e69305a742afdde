import { createHash } from 'node:crypto'

/**
 * The rows of a table in the order of its key, as PostgreSQL's COPY writes them in pieces of whole lines. Both sides write a row the same
 * way: timestamps as ISO 8601, booleans as 0 and 1, bytes in hex.
 */
export type Lines = Iterable<string> | AsyncIterable<string>

/** How many rows there were, and SHA-256 of all of them. */
export interface Digest {
  rows: number
  sha256: string
}

const endings = (text: string) => {
  let count = 0
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count++
  return count
}

export function createDigest() {
  const hash = createHash('sha256')
  let rows = 0
  function take(piece: string) {
    hash.update(piece)
    rows += endings(piece)
  }
  const digest = (): Digest => ({ rows, sha256: hash.digest('hex') })
  return {
    digest,
    async *passing(lines: Lines): AsyncGenerator<string> {
      for await (const piece of lines) {
        take(piece)
        yield piece
      }
    },
    async all(lines: Lines): Promise<Digest> {
      for await (const piece of lines) take(piece)
      return digest()
    },
  }
}

/** Text of pieces that begin and end anywhere, as pieces of whole lines. */
export async function* wholeLines(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let rest = Buffer.alloc(0)
  for await (const piece of pieces) {
    const end = piece.lastIndexOf(10) + 1
    if (end === 0) {
      rest = Buffer.concat([rest, piece])
      continue
    }
    yield Buffer.concat([rest, piece.subarray(0, end)]).toString()
    rest = Buffer.from(piece.subarray(end))
  }
}

export const eachLine = (piece: string): string[] => piece.slice(0, -1).split('\n')
