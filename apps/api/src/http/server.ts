import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo, Server as NetServer, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { ParserError } from './parser-errors.ts'

/** How long a request may take to arrive, in milliseconds. */
export interface Timeouts {
  headers: number
  request: number
}

export interface ServerOptions {
  handle: (request: IncomingMessage, response: ServerResponse) => void
  /** A whole HTTP answer for what never became a request, or became one that Koa must not see. */
  refusal: (error: ParserError, request?: IncomingMessage) => string
  timeouts?: Timeouts | undefined
}

/** A connection that says nothing for this long once the service stops is closed. */
const idleWhileStoppingMs = 1000
/** By then the process has to be gone; what is still under way is cut off. */
const stopWithinMs = 9000

const defaultTimeouts: Timeouts = { headers: 15_000, request: 30_000 }

/** Room for what is too large to be told apart: the application refuses a URL past 8 KiB and headers past 16 KiB. */
const maxHeaderSize = 48 * 1024

/** What Node keeps of a connection: the answer that it is busy with, and the request that is being read. */
interface Connection {
  _httpMessage?: ServerResponse | null
  parser?: { incoming?: IncomingMessage | null } | null
}

/**
 * The HTTP server. What Node's parser refuses by itself, with no body, is answered in the form of every other failure.
 */
export function createHttpServer({ handle, refusal, timeouts = defaultTimeouts }: ServerOptions) {
  const connections = new Set<Socket>()
  const server = createServer({
    requestTimeout: timeouts.request,
    headersTimeout: timeouts.headers,
    keepAliveTimeout: 65_000,
    connectionsCheckingInterval: Math.min(1000, timeouts.headers),
    maxHeaderSize,
    // Node's own answer to a request without Host has no body; the application refuses it.
    requireHostHeader: false,
  })

  function refuse(error: ParserError, socket: Duplex) {
    const { _httpMessage: current, parser } = socket as Connection
    if (error.code === 'ECONNRESET' || !socket.writable) return socket.destroy()
    // The rest of a body that nobody read: its request has had its answer.
    if (!current && parser?.incoming?.complete === false) return socket.end()
    if (!current) return socket.end(refusal(error))
    // What broke is the body of a request that is being read: its reader learns why, and the application answers.
    if (!current.req.complete && current.req.listenerCount('error') > 0)
      return current.req.emit('error', error)
    // What broke came after a request whose answer is under way, and must not be taken for that answer.
    return current.once('finish', () => {
      if (socket.writable) socket.end(current.req.complete ? refusal(error) : undefined)
    })
  }

  server.on('connection', (socket) => {
    connections.add(socket)
    socket.once('close', () => connections.delete(socket))
  })
  server.on('request', handle)
  // The application refuses it, as it does everything else that it can see.
  server.on('checkExpectation', handle)
  server.on('clientError', refuse)
  server.on('connect', (request, socket) => {
    socket.end(refusal(Object.assign(new Error(), { code: 'CONNECT' }), request))
  })

  /** `closeIdleConnections` takes a connection that never said anything for a busy one. */
  function closeIdle() {
    server.closeIdleConnections()
    for (const socket of connections) if (socket.bytesRead === 0) socket.destroy()
  }

  return {
    /** How many connections are open. */
    connections: () => connections.size,

    /** Starts to listen and gives the address, or fails with the reason (`EADDRINUSE`, `EACCES` …). */
    async listen({ host, port }: { host: string; port: number }): Promise<string> {
      await new Promise<void>((resolve, reject) => {
        server.once('error', reject)
        server.listen({ host, port }, () => {
          server.off('error', reject)
          resolve()
        })
      })
      const bound = server.address() as AddressInfo
      return `http://${bound.family === 'IPv6' ? `[${bound.address}]` : bound.address}:${bound.port}`
    },

    /**
     * Stops listening, lets what is under way finish, and ends connections that were idle for a second; the application ends the
     * others with their next answer. `http.Server.close` would cut idle connections at once, and with them requests that are
     * on their way.
     */
    async stop(): Promise<void> {
      const closed = new Promise<void>((resolve) => {
        NetServer.prototype.close.call(server, () => resolve())
      })
      const idle = setInterval(closeIdle, idleWhileStoppingMs)
      const end = setTimeout(() => server.closeAllConnections(), stopWithinMs)
      await closed
      clearInterval(idle)
      clearTimeout(end)
      // Ends what the HTTP part keeps of its own: the timer that looks for connections that are too slow.
      server.close()
    },
  }
}
