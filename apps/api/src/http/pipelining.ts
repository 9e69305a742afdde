import type { Server, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { findParser, pausedParser, pauseFirmly, pauseParser, resumeAfterPause } from './node-internals.ts'
import type { ParserError } from './parser-errors.ts'

/** Requests that a client may send ahead of their responses. Its connection ends with the response to the last one. */
const maxSentAhead = 1000
/** Requests in a turn of the event loop, over all connections together, so that a flood of them does not hold up the others. */
const perTurn = 4

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
  /** How many requests came before the responses to those before them were finished. */
  sentAhead?: number
  /** The response to the next request ends the connection. */
  endsNext?: boolean
}

export const pendingResponse = ({ latest }: Connection) =>
  latest?.writableFinished === false ? latest : undefined

function continueReading(socket: Connection, { receive, rest }: HeldRequest) {
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
  const ready: Connection[] = []

  function receiveReady() {
    for (const socket of ready.splice(0, perTurn)) {
      const { held } = socket
      socket.held = undefined
      if (held && socket.writable) continueReading(socket, held)
    }
    if (ready.length > 0) setImmediate(receiveReady)
  }

  function addReady(socket: Connection) {
    if (ready.push(socket) === 1) setImmediate(receiveReady)
  }

  server.on('connection', (socket: Connection) => {
    const parser = findParser(socket)
    const receive = parser?.onIncoming
    if (!parser || !receive) return
    parser.onIncoming = (request, keepAlive) => {
      const pending = pendingResponse(socket)
      // Node does not parse what comes behind it.
      if (request.upgrade) socket.endsNext = true
      if (!pending) socket.sentAhead = 0
      if (!pending || request.upgrade) return receive(request, keepAlive)
      socket.sentAhead = (socket.sentAhead ?? 0) + 1
      socket.endsNext = socket.sentAhead >= maxSentAhead
      socket.held = { receive: () => receive(request, keepAlive), rest: Buffer.alloc(0) }
      pending.once('close', () => addReady(socket))
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
