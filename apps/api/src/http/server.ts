import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo, Server as NetServer } from 'node:net'
import type { Duplex } from 'node:stream'
import { setImmediate as turn } from 'node:timers/promises'
import { endSoon, watchConnections } from './connections.ts'
import { isFramingClear } from './limits.ts'
import type { ParserError } from './parser-errors.ts'

/** How long a request may take to arrive, and a part of its answer to be taken; in milliseconds. */
export interface Timeouts {
  headers: number
  request: number
  answer: number
}

export interface ServerOptions {
  handle: (request: IncomingMessage, response: ServerResponse) => void
  /** A whole HTTP answer for what never became a request, or became one that Koa must not see. */
  refusal: (error: ParserError, request?: IncomingMessage) => string
  timeouts?: Timeouts | undefined
  /** More are closed at once. */
  maxConnections: number
  /** Called when connections have to be closed because there are too many. */
  onTooMany: () => void
}

/** A connection that says nothing for this long once the service stops is closed. */
const idleWhileStoppingMs = 1000
/** By then the process has to be gone; what is still under way is cut off. */
const stopWithinMs = 9000
/** How long to look for a moment without callers to stop listening at. */
const quietWithinMs = 250
/** A turn of the event loop in which nothing was done but looking for new connections. */
const quietTurnMs = 0.1

const defaultTimeouts: Timeouts = { headers: 15_000, request: 30_000, answer: 30_000 }

/** Room for what is too large to be told apart: the application refuses a URL past 8 KiB and headers past 16 KiB. */
const maxHeaderSize = 48 * 1024

/** What Node keeps of a connection, the request that is being read, and what is kept here. */
interface Connection extends Duplex {
  parser?: { incoming?: IncomingMessage | null } | null
  /** The answer to what was read last; those before it are given first. */
  latest?: ServerResponse
  /** Nothing more is read of it. */
  unclear?: boolean
}

/**
 * The HTTP server. What Node's parser refuses by itself, with no body, is answered in the form of every other failure.
 */
export function createHttpServer(options: ServerOptions) {
  const { handle, refusal, timeouts = defaultTimeouts, maxConnections, onTooMany } = options
  const server = createServer({
    requestTimeout: timeouts.request,
    headersTimeout: timeouts.headers,
    keepAliveTimeout: 65_000,
    connectionsCheckingInterval: Math.min(1000, timeouts.headers),
    maxHeaderSize,
    // Node's own answer to a request without Host has no body; the application refuses it.
    requireHostHeader: false,
  })
  server.maxConnections = maxConnections
  const connections = watchConnections({ server, answerTimeout: timeouts.answer })

  function receive(request: IncomingMessage, response: ServerResponse) {
    const socket: Connection = request.socket
    // Node goes on with what came together with a request that ends its connection.
    if (socket.unclear) return
    if (!isFramingClear(request)) socket.unclear = true
    socket.latest = response
    handle(request, response)
  }

  /** The answer that is still to be given. */
  const pending = ({ latest }: Connection) => (latest?.writableFinished === false ? latest : undefined)

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
  server.on('drop', () => {
    // Callers keep connections that they do not use: those give way to whoever comes next.
    server.closeIdleConnections()
    onTooMany()
  })

  let [accepted, closed] = [0, Promise.resolve()]
  server.on('connection', () => {
    accepted++
  })

  /** Connections that wait to be accepted are cut when the socket is closed: all are accepted, and right after that it is. */
  async function untilQuiet() {
    const end = performance.now() + quietWithinMs
    await turn()
    for (let before = -1; before !== accepted && performance.now() < end; ) {
      const began = performance.now()
      before = accepted
      await turn()
      if (performance.now() - began > quietTurnMs) before = -1
    }
  }

  return {
    /** How many connections are open. */
    connections: connections.count,

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

    /** From now on callers are refused; connections that are open go on. */
    async stopListening(): Promise<void> {
      await untilQuiet()
      closed = new Promise((resolve) => {
        // `http.Server.close` would cut idle connections at once, and with them requests that are on their way.
        NetServer.prototype.close.call(server, () => resolve())
      })
    },

    /**
     * After it stopped listening: lets what is under way finish, and ends connections that were idle for a second; the application ends
     * the others with their next answer.
     */
    async stop(): Promise<void> {
      const idle = setInterval(connections.closeIdle, idleWhileStoppingMs)
      const end = setTimeout(connections.closeAll, stopWithinMs)
      await closed
      clearInterval(idle)
      clearTimeout(end)
      connections.stopWatching()
      // Ends what the HTTP part keeps of its own: the timer that looks for connections that are too slow.
      server.close()
    },
  }
}
