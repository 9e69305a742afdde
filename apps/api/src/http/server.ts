import { createServer } from 'node:http'
import { type AddressInfo, Server as NetServer } from 'node:net'
import { type RequestsOptions, readRequests } from './connection-requests.ts'
import { watchConnections } from './connections.ts'
import { untilQuiet } from './drain-accept-queue.ts'

/** How long a request may take to arrive, and a part of its answer to be taken; in milliseconds. */
export interface Timeouts {
  headers: number
  request: number
  answer: number
}

export interface ServerOptions extends Pick<RequestsOptions, 'handle' | 'refusal'> {
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

const defaultTimeouts: Timeouts = { headers: 15_000, request: 30_000, answer: 30_000 }

/** Room for what is too large to be told apart: the application refuses a URL past 8 KiB and headers past 16 KiB. */
const maxHeaderSize = 48 * 1024

function createNodeServer({ headers, request }: Timeouts) {
  const server = createServer({
    requestTimeout: request,
    headersTimeout: headers,
    keepAliveTimeout: 65_000,
    connectionsCheckingInterval: Math.min(1000, headers),
    maxHeaderSize,
    // Node's own answer to a request without Host has no body; the application refuses it.
    requireHostHeader: false,
  })
  // Who has sent everything and says so still waits for the answer, which may take a question to another machine.
  return Object.assign(server, { httpAllowHalfOpen: true })
}

/**
 * The HTTP server. What Node's parser refuses by itself, with no body, is answered in the form of every other failure.
 */
export function createHttpServer(options: ServerOptions) {
  const { handle, refusal, timeouts = defaultTimeouts, maxConnections, onTooMany } = options
  const server = createNodeServer(timeouts)
  server.maxConnections = maxConnections
  const connections = watchConnections({ server, answerTimeout: timeouts.answer })

  readRequests({ server, handle, refusal })
  server.on('drop', () => {
    // Callers keep connections that they do not use: those give way to whoever comes next.
    server.closeIdleConnections()
    onTooMany()
  })

  let closed = Promise.resolve()

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
      await untilQuiet(server)
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
