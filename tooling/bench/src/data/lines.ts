/** Records as NDJSON, in pieces of a good size for a stream. */
export function* linesOf(records: Iterable<object>): Generator<string> {
  let piece = ''
  for (const record of records) {
    piece += `${JSON.stringify(record)}\n`
    if (piece.length > 1 << 18) {
      yield piece
      piece = ''
    }
  }
  if (piece) yield piece
}
