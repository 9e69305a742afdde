const pieceLength = 64 * 1024

/** The bytes of a source in pieces of much the same size: a reader that looks at what it holds with each of them takes the square of their number. */
export async function* readPieces(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let held: Uint8Array[] = []
  let length = 0
  for await (const chunk of source) {
    length += chunk.length
    if (length < pieceLength) {
      // A copy: the source may use its buffer again.
      held.push(new Uint8Array(chunk))
      continue
    }
    const bytes = held.length > 0 ? Buffer.concat([...held, chunk]) : chunk
    held = []
    length = 0
    for (let from = 0; from < bytes.length; from += pieceLength)
      yield bytes.subarray(from, from + pieceLength)
  }
  if (length > 0) yield Buffer.concat(held)
}
