const headEnd = Buffer.from('\r\n\r\n')
const lastChunk = Buffer.from('0\r\n\r\n')

/**
 * Reads the answers of one connection, piece by piece; gives the status when one is whole. Only as much of HTTP as a measurement
 * needs: one request at a time, a body that has a length or comes in chunks.
 */
export function createAnswerReader(): (piece: Buffer) => number | undefined {
  let head: Buffer = Buffer.alloc(0)
  let status = 0
  /** Bytes of the body that are still to come; in chunks, infinite. */
  let missing = 0
  let tail: Buffer = Buffer.alloc(0)

  function readHead(piece: Buffer): Buffer | undefined {
    const read = head.length ? Buffer.concat([head, piece]) : piece
    const end = read.indexOf(headEnd)
    if (end < 0) {
      // A copy: the piece is a view of a buffer that the next one is read into.
      head = Buffer.from(read)
      return undefined
    }
    const text = read.toString('latin1', 0, end)
    const body = read.subarray(end + headEnd.length)
    status = Number(text.slice(9, 12))
    const length = /\r\ncontent-length: *(\d+)/i.exec(text)?.[1]
    missing = length === undefined ? Number.POSITIVE_INFINITY : Number(length)
    head = Buffer.alloc(0)
    return body
  }

  function readBody(piece: Buffer): boolean {
    if (missing !== Number.POSITIVE_INFINITY) {
      missing -= piece.length
      return missing <= 0
    }
    tail = Buffer.concat([tail, piece.subarray(-lastChunk.length)]).subarray(-lastChunk.length)
    return tail.equals(lastChunk)
  }

  return (piece) => {
    const body = status === 0 ? readHead(piece) : piece
    if (body === undefined || !readBody(body)) return undefined
    const complete = status
    status = 0
    tail = Buffer.alloc(0)
    return complete
  }
}
