import { createServer } from 'node:http'
import { Server as NetServer } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { AdmissionOptions } from './admission.ts'
import { handleRequests, type RequestsOptions } from './connection-requests.ts'
import { watchConnections } from './connections.ts'
import { allowHalfOpen } from './node-internals.ts'

/**
 * How long a request may take to arrive, a client to take a part of a response, and a connection to wait for its next request; in
 * milliseconds.
 */
export interface Timeouts {
  headers: number
  request: number
  response: number
  idle: number
}

export interface ServerOptions
  extends Pick<RequestsOptions, 'handle' | 'rawErrorResponse'>,
    AdmissionOptions {
  timeouts?: Timeouts | undefined
}

/** While the service stops, a connection that is idle for this long is closed. */
const idleWhileStoppingMs = 1000
/** Requests that are still under way then are cut off: the process has to end. */
const maxStopMs = 9000

const defaultTimeouts: Timeouts = { headers: 15_000, request: 30_000, response: 30_000, idle: 65_000 }

/** Above the limits of the application, so that it can respond: URLs past 8 KiB and headers past 16 KiB. */
const maxHeaderSize = 48 * 1024

function createNodeServer({ headers, request, idle }: Timeouts) {
  const server = createServer({
    requestTimeout: request,
    headersTimeout: headers,
    keepAliveTimeout: idle,
    connectionsCheckingInterval: Math.min(1000, headers),
    maxHeaderSize,
    // Node's own response to a request without Host has no body; the application rejects it.
    requireHostHeader: false,
  })
  return allowHalfOpen(server)
}

const drainWithinMs = 250
/** A turn of the event loop in which nothing was done but to look for new connections is shorter. */
const quietTurnMs = 0.1

/** Accepts every client that has connected: the system cuts off those that still wait when the socket is closed, right after this. */
async function drainAcceptQueue(server: NetServer) {
  let accepted = 0
  const count = () => void accepted++
  server.on('connection', count)
  const end = performance.now() + drainWithinMs
  await nextTurn()
  for (let before = -1; before !== accepted && performance.now() < end; ) {
    const began = performance.now()
    before = accepted
    await nextTurn()
    if (performance.now() - began > quietTurnMs) before = -1
  }
  server.off('connection', count)
}

/** The HTTP server. What Node's parser rejects gets a response like every other error. */
export function createHttpServer(options: ServerOptions) {
  const { handle, rawErrorResponse, timeouts = defaultTimeouts, ...limits } = options
  const server = createNodeServer(timeouts)
  const connections = watchConnections({ ...limits, server, timeouts })
  handleRequests({ server, handle, rawErrorResponse })

  let closed = Promise.resolve()

  return {
    /** The number of open connections. */
    connections: connections.count,

    /** Starts to listen and returns the address, or fails with the reason (`EADDRINUSE`, `EACCES` …). */
    async listen({ host, port }: { host: string; port: number }): Promise<string> {
      await new Promise<void>((resolve, reject) => {
        server.once('error', reject)
        server.listen({ host, port }, () => {
          server.off('error', reject)
          resolve()
        })
      })
      const bound = server.address()
      if (bound === null || typeof bound === 'string') throw new Error('not listening on a port')
      return `http://${bound.family === 'IPv6' ? `[${bound.address}]` : bound.address}:${bound.port}`
    },

    /** Refuses new connections; open ones go on. */
    async stopListening(): Promise<void> {
      await drainAcceptQueue(server)
      closed = new Promise((resolve) => {
        // `http.Server.close` would cut idle connections at once, and with them requests that are on their way.
        NetServer.prototype.close.call(server, () => resolve())
      })
    },

    /**
     * After `stopListening`: waits for the requests under way, and closes connections that were idle for a second; the application ends
     * the others with their next response.
     */
    async stop(): Promise<void> {
      const idle = setInterval(connections.closeIdle, idleWhileStoppingMs)
      const end = setTimeout(connections.closeAll, maxStopMs)
      await closed
      clearInterval(idle)
      clearTimeout(end)
      connections.stopWatching()
      // Ends Node's timer for slow requests.
      server.close()
    },
  }
}
