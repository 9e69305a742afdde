import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { endGracefully } from './connections.ts'
import type { ParserError } from './parser-errors.ts'
import { isFramingClear } from './validate-request.ts'

export interface RequestsOptions {
  server: Server
  handle: (request: IncomingMessage, response: ServerResponse) => void
  /** A whole HTTP response to what never became a request, or became one that Koa must not see. */
  rawErrorResponse: (error: ParserError, request?: IncomingMessage) => string
}

interface Connection extends Duplex {
  /** Node's own, with the request that is being read. smuggling.test.ts fails where it goes. */
  parser?: { incoming?: IncomingMessage | null } | null
  /** The response to the request that was read last; those before it are sent first. */
  latest?: ServerResponse
  /** Nothing more is read. */
  closing?: boolean
}

const pendingResponse = ({ latest }: Connection) => (latest?.writableFinished === false ? latest : undefined)

/** Gives an error of a body to a reader that begins later: nothing more would arrive for it. */
function deferError(request: IncomingMessage, error: Error) {
  function onListener(name: string | symbol) {
    if (name !== 'error') return
    request.off('newListener', onListener)
    queueMicrotask(() => request.emit('error', error))
  }
  request.on('newListener', onListener)
}

/** Hands the requests of a server to `handle`, and responds to what is not a request. */
export function handleRequests({ server, handle, rawErrorResponse }: RequestsOptions) {
  function receive(request: IncomingMessage, response: ServerResponse) {
    const socket: Connection = request.socket
    // Node parses on behind a request that ends its connection.
    if (socket.closing) return
    if (!isFramingClear(request)) socket.closing = true
    socket.latest = response
    handle(request, response)
  }

  function reject(error: ParserError, socket: Connection) {
    const pending = pendingResponse(socket)
    if (error.code === 'ECONNRESET') return socket.destroy()
    if (!socket.writable || socket.closing) return
    // The rest of a body that nothing reads: its request has had its response.
    if (!pending && socket.parser?.incoming?.complete === false) return endGracefully(socket)
    if (!pending) return endGracefully(socket, rawErrorResponse(error))
    const { req: request } = pending
    // What broke is the body that is being read: the application responds.
    if (!request.complete && request.listenerCount('error') > 0) return request.emit('error', error)
    socket.closing = true
    if (!request.complete) deferError(request, error)
    // What broke came after a request whose response is under way, and must not be taken for that response.
    return pending.once('finish', () => {
      if (socket.writable) endGracefully(socket, request.complete ? rawErrorResponse(error) : undefined)
    })
  }

  server.on('request', receive)
  // The application rejects it, like everything else that it can see.
  server.on('checkExpectation', receive)
  server.on('clientError', reject)
  server.on('connect', (request, socket: Connection) => {
    const end = () =>
      endGracefully(socket, rawErrorResponse(Object.assign(new Error(), { code: 'CONNECT' }), request))
    const pending = pendingResponse(socket)
    if (pending) pending.once('finish', end)
    else end()
  })
}
