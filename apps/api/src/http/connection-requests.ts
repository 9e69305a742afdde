import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { endGracefully } from './connections.ts'
import { findParser } from './node-internals.ts'
import type { ParserError } from './parser-errors.ts'
import { type Connection, limitPipelining, pendingResponse } from './pipelining.ts'

export interface RequestsOptions {
  server: Server
  handle: (request: IncomingMessage, response: ServerResponse) => void
  /** A whole HTTP response to what never became a request, or became one that Koa must not see. */
  rawErrorResponse: (error: ParserError, request?: IncomingMessage) => string
}

/** Hands the requests of a server to `handle`, one at a time of each connection, and responds to what is not a request. */
export function handleRequests({ server, handle, rawErrorResponse }: RequestsOptions) {
  const pipelining = limitPipelining(server)

  function receive(request: IncomingMessage, response: ServerResponse) {
    const socket: Connection = request.socket
    // Node parses on behind a request whose response ends the connection.
    if (!socket.writable) return
    const pending = pendingResponse(socket)
    socket.latest = response
    if (request.headers.upgrade !== undefined) {
      response.shouldKeepAlive = false
      rejectUnfinished(request, response)
    }
    if (!pending) return handle(request, response)
    pending.once('close', () => {
      if (socket.writable) handle(request, response)
    })
  }

  /** Node's parser keeps the errors of a body to itself where a request asks for an upgrade, also that its client ended it too early. */
  function rejectUnfinished(request: IncomingMessage, response: ServerResponse) {
    const { socket } = request
    const onEnd = () => {
      if (!request.complete) reject(Object.assign(new Error(), { code: 'HPE_INVALID_EOF_STATE' }), socket)
    }
    socket.once('end', onEnd)
    response.once('close', () => socket.off('end', onEnd))
  }

  function reject(error: ParserError, socket: Connection, rejected?: IncomingMessage) {
    if (pipelining.isPause(error, socket)) return
    const pending = pendingResponse(socket)
    if (error.code === 'ECONNRESET') return socket.destroy()
    if (!socket.writable) return
    // The rest of a body that nothing reads: its request has had its response.
    if (!pending && findParser(socket)?.incoming?.complete === false) return endGracefully(socket)
    if (!pending) return endGracefully(socket, rawErrorResponse(error, rejected))
    const { req: request } = pending
    // What broke is the body that is being read: the application responds.
    if (!request.complete && request.listenerCount('error') > 0) return request.emit('error', error)
    // What broke came after a request whose response is under way, and must not be taken for that response.
    return pending.once('finish', () => {
      if (socket.writable)
        endGracefully(socket, request.complete ? rawErrorResponse(error, rejected) : undefined)
    })
  }

  server.on('request', receive)
  // The application rejects it, like everything else that it can see.
  server.on('checkExpectation', receive)
  server.on('clientError', (error, socket) => reject(error, socket))
  server.on('connect', (request, socket) =>
    reject(Object.assign(new Error(), { code: 'CONNECT' }), socket, request),
  )
}
