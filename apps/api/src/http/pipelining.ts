import type { Server, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { findParser, pausedParser, pauseFirmly, pauseParser, resumeAfterPause } from './node-internals.ts'
import type { ParserError } from './parser-errors.ts'

interface HeldRequest {
  /** Hands the request to Node. */
  receive: () => void
  /** What was read behind its headers. */
  rest: Buffer
}

export interface Connection extends Duplex {
  /** The response to the request that was received last. */
  latest?: ServerResponse
  /** The request behind that one. */
  held?: HeldRequest | undefined
}

export const pendingResponse = ({ latest }: Connection) =>
  latest?.writableFinished === false ? latest : undefined

function continueReading(socket: Connection, { receive, rest }: HeldRequest) {
  socket.held = undefined
  if (!socket.writable) return
  receive()
  findParser(socket)?.resume()
  // Also if it is empty: the parser ends a request without a body only when it is given something.
  socket.emit('data', rest)
  if (!socket.held) resumeAfterPause(socket)
}

/**
 * Node parses all requests that it has read of a connection and begins each of them at once: a client that sends thousands ahead would
 * hold up all others, and have them and their responses kept in memory. Here a request is begun when the response to the one before is
 * finished; until then nothing more of the connection is parsed, nor read.
 */
export function limitPipelining(server: Server) {
  server.on('connection', (socket: Connection) => {
    const parser = findParser(socket)
    const receive = parser?.onIncoming
    if (!parser || !receive) return
    parser.onIncoming = (request, keepAlive) => {
      const pending = pendingResponse(socket)
      // Node does not parse what comes behind an upgrade.
      if (!pending || request.upgrade) return receive(request, keepAlive)
      const held = { receive: () => receive(request, keepAlive), rest: Buffer.alloc(0) }
      socket.held = held
      // Other connections come in between.
      pending.once('close', () => setImmediate(continueReading, socket, held))
      return pauseParser
    }
  })

  return {
    /** Whether an error of the parser says only that it stopped behind a request that is held. */
    isPause({ code, rawPacket, bytesParsed }: ParserError, socket: Connection): boolean {
      if (!socket.held || code !== pausedParser || !rawPacket) return false
      socket.held.rest = rawPacket.subarray(bytesParsed)
      pauseFirmly(socket)
      return true
    },
  }
}
