import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { type AddressInfo, Server as NetServer } from 'node:net'
import type { Duplex } from 'node:stream'

export interface ServerOptions {
  handle: (request: IncomingMessage, response: ServerResponse) => void
  /** A whole HTTP answer for what never became a request, or became one that Koa must not see. */
  refusal: (error: ParserError) => string
}

export interface ParserError extends Error {
  code?: string
}

/** A connection that says nothing for this long once the service stops is closed. */
const idleWhileStoppingMs = 1000
/** By then the process has to be gone; what is still under way is cut off. */
const stopWithinMs = 9000

/**
 * The HTTP server, not yet listening. What Node's parser refuses by itself, with no body, is answered in the form of every other
 * failure.
 */
export function createHttpServer({ handle, refusal }: ServerOptions): Server {
  const server = createServer({
    requestTimeout: 30_000,
    headersTimeout: 15_000,
    keepAliveTimeout: 65_000,
    connectionsCheckingInterval: 1000,
    // Node's own answer to a request without Host has no body; the application refuses it.
    requireHostHeader: false,
  })
  const refuse = (error: ParserError, socket: Duplex) => {
    // An answer that is under way must not get another one into its middle.
    const answering = (socket as { _httpMessage?: { headersSent?: boolean } })._httpMessage?.headersSent
    if (error.code === 'ECONNRESET' || !socket.writable || answering) socket.destroy()
    else socket.end(refusal(error))
  }
  server.on('request', handle)
  // The application refuses it, as it does everything else that it can see.
  server.on('checkExpectation', handle)
  server.on('clientError', refuse)
  server.on('connect', (_request, socket) => refuse(Object.assign(new Error(), { code: 'CONNECT' }), socket))
  return server
}

/** Starts to listen and gives the address, or fails with the reason (`EADDRINUSE`, `EACCES` …). */
export async function listen(
  server: Server,
  { host, port }: { host: string; port: number },
): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen({ host, port }, () => {
      server.off('error', reject)
      resolve()
    })
  })
  const bound = server.address() as AddressInfo
  return `http://${bound.family === 'IPv6' ? `[${bound.address}]` : bound.address}:${bound.port}`
}

/**
 * Stops listening, lets what is under way finish, and ends open connections with their next answer or when they were idle for a
 * second. `http.Server.close` would cut idle connections at once, and with them requests that are on their way.
 */
export async function stop(server: Server): Promise<void> {
  server.prependListener('request', (_request, response: ServerResponse) =>
    response.setHeader('Connection', 'close'),
  )
  const closed = new Promise<void>((resolve) => {
    NetServer.prototype.close.call(server, () => resolve())
  })
  const idle = setInterval(() => server.closeIdleConnections(), idleWhileStoppingMs)
  const end = setTimeout(() => server.closeAllConnections(), stopWithinMs)
  await closed
  clearInterval(idle)
  clearTimeout(end)
  // Ends what the HTTP part keeps of its own: the timer that looks for connections that are too slow.
  server.close()
}
