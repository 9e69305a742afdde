import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'

// Everything of Node.js that has no public name. A new version may change any of it: each names the test that fails then.

/** test/api/pipelining.test.ts. */
export interface Parser {
  /** The request whose body is being read. */
  incoming?: IncomingMessage | null
  /** Makes the response of a request, and emits it. */
  onIncoming?: (request: IncomingMessage & { upgrade?: boolean }, keepAlive: boolean) => number
  resume(): void
}

/** The parser of a connection: what is read behind one request has to wait for the response to it. */
export const findParser = (socket: Duplex & { parser?: Parser | null }) => socket.parser ?? undefined

/** What llhttp takes from a callback to stop behind the headers that it has read, and how Node names the error that follows. */
export const pauseParser = 21
export const pausedParser = 'HPE_PAUSED'

const stayPaused = function (this: Duplex) {
  return this
}

/** Pauses a connection that Node would resume whenever a body is read: test/api/pipelining.test.ts. */
export function pauseFirmly(socket: Duplex) {
  socket.pause()
  socket.resume = stayPaused
}

export function resumeAfterPause(socket: Duplex) {
  Reflect.deleteProperty(socket, 'resume')
  socket.resume()
}

/** A client that closes its end after the request still waits for the response: test/api/raw-requests.test.ts. */
export const allowHalfOpen = (server: Server) => Object.assign(server, { httpAllowHalfOpen: true })

type NodeResponse = ServerResponse & { _header: string; _keepAliveTimeout: number }

/** `writeHead` checks each name and value, which takes a tenth of the time of a request: send-response.test.ts. */
export function setHead(response: ServerResponse, head: string) {
  const own = response as NodeResponse
  own._header = head
}

export const keepAliveSeconds = (response: ServerResponse) =>
  Math.floor((response as NodeResponse)._keepAliveTimeout / 1000)

interface OutgoingCounts {
  _bytesDispatched?: number
  _handle?: { writeQueueSize?: number } | null
}

/** Bytes handed to the system, and of those the ones that it did not take yet: test/faults/slow-connections.test.ts. */
export function outgoingCounts(socket: Socket & OutgoingCounts) {
  return { dispatched: socket._bytesDispatched ?? 0, waiting: socket._handle?.writeQueueSize ?? 0 }
}
