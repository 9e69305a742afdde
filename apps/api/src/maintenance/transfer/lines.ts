import { createHash } from 'node:crypto'
import { type CopyValue, copyFields } from '../../db/postgres/copy-text.ts'
import type { Column, ColumnKind } from './tables.ts'

/**
 * The rows of a table in the order of its key, as PostgreSQL's COPY writes them in pieces of whole lines. Both sides write a row the same
 * way: timestamps as a file holds them, booleans as 0 and 1, bytes in hex.
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

const readers: Readonly<Record<ColumnKind, (text: string) => CopyValue>> = {
  text: (text) => text,
  timestamp: (text) => text,
  number: Number,
  flag: Number,
  bytes: (text) => Buffer.from(text.slice(2), 'hex'),
}

/** The values of a line, without its end. */
export const valuesOf = (line: string, columns: readonly Column[]): CopyValue[] =>
  // A line has a field for each column.
  copyFields(line).map((text, index) => (text === null ? null : readers[columns[index]!.kind](text)))

export const eachLine = (piece: string): string[] => piece.slice(0, -1).split('\n')
