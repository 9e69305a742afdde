import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { endSoon } from './connections.ts'
import type { ParserError } from './parser-errors.ts'
import { isFramingClear } from './validate-request.ts'

export interface RequestsOptions {
  server: Server
  handle: (request: IncomingMessage, response: ServerResponse) => void
  /** A whole HTTP answer for what never became a request, or became one that Koa must not see. */
  refusal: (error: ParserError, request?: IncomingMessage) => string
}

/** What Node keeps of a connection, the request that is being read, and what is kept here. */
interface Connection extends Duplex {
  parser?: { incoming?: IncomingMessage | null } | null
  /** The answer to what was read last; those before it are given first. */
  latest?: ServerResponse
  /** Nothing more is read of it. */
  unclear?: boolean
}

/** The answer that is still to be given. */
const pending = ({ latest }: Connection) => (latest?.writableFinished === false ? latest : undefined)

/** Tells whoever begins to read a body that it broke before anybody did: nothing more would come of it. */
function tellReader(request: IncomingMessage, error: Error) {
  function onListener(name: string | symbol) {
    if (name !== 'error') return
    request.off('newListener', onListener)
    queueMicrotask(() => request.emit('error', error))
  }
  request.on('newListener', onListener)
}

/** Hands over the requests of a server in their order, and answers what is none. */
export function readRequests({ server, handle, refusal }: RequestsOptions) {
  function receive(request: IncomingMessage, response: ServerResponse) {
    const socket: Connection = request.socket
    // Node goes on with what came together with a request that ends its connection.
    if (socket.unclear) return
    if (!isFramingClear(request)) socket.unclear = true
    socket.latest = response
    handle(request, response)
  }

  function refuse(error: ParserError, socket: Connection) {
    const current = pending(socket)
    if (error.code === 'ECONNRESET') return socket.destroy()
    // What comes after the last word is not read.
    if (!socket.writable || socket.unclear) return
    // The rest of a body that nobody read: its request has had its answer.
    if (!current && socket.parser?.incoming?.complete === false) return endSoon(socket)
    if (!current) return endSoon(socket, refusal(error))
    // What broke is the body of a request that is being read: its reader learns why, and the application answers.
    if (!current.req.complete && current.req.listenerCount('error') > 0)
      return current.req.emit('error', error)
    socket.unclear = true
    if (!current.req.complete) tellReader(current.req, error)
    // What broke came after a request whose answer is under way, and must not be taken for that answer.
    return current.once('finish', () => {
      if (socket.writable) endSoon(socket, current.req.complete ? refusal(error) : undefined)
    })
  }

  server.on('request', receive)
  // The application refuses it, as it does everything else that it can see.
  server.on('checkExpectation', receive)
  server.on('clientError', refuse)
  server.on('connect', (request, socket: Connection) => {
    const end = () => endSoon(socket, refusal(Object.assign(new Error(), { code: 'CONNECT' }), request))
    const current = pending(socket)
    if (current) current.once('finish', end)
    else end()
  })
}
