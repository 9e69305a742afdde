import { createHash } from 'node:crypto'

/**
 * The rows of a table in the order of its key, as PostgreSQL's COPY writes them, in pieces. Both sides write a row the same way: timestamps
 * as ISO 8601, booleans as 0 and 1, bytes in hex.
 */
export type Lines = Iterable<Buffer> | AsyncIterable<Buffer>

/** How many rows there were, and SHA-256 of all of them. */
export interface Digest {
  rows: number
  sha256: string
}

export function createDigest() {
  const hash = createHash('sha256')
  let rows = 0
  async function* passing(lines: Lines): AsyncGenerator<Buffer> {
    for await (const piece of lines) {
      hash.update(piece)
      for (let at = piece.indexOf(10); at >= 0; at = piece.indexOf(10, at + 1)) rows++
      yield piece
    }
  }
  return { passing, digest: (): Digest => ({ rows, sha256: hash.digest('hex') }) }
}
