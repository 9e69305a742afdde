import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { createSlowReaders } from './slow-readers.ts'

/** Grace period for the client to read the final response. */
const lingerMs = 2000

/** A slow line takes some 2 KB in a second; a client that takes less does not want the response. */
const minBytes = 64 * 1024

interface ConnectionsOptions {
  server: Server
  /** How long a client may take for a part of a response. */
  responseTimeout: number
}

/**
 * Ends a connection with a final response, which has to arrive: closed at once while something is unread, the system would discard it.
 * Reading on, the system reports when the client closes its end.
 */
export function endGracefully(socket: Duplex, text?: string) {
  const timer = setTimeout(() => socket.destroy(), lingerMs)
  socket.once('close', () => clearTimeout(timer))
  socket.end(text)
  socket.resume()
}

/** Tracks the connections of a server, and cuts off those whose clients do not read their responses. */
export function watchConnections({ server, responseTimeout }: ConnectionsOptions) {
  const open = new Set<Socket>()
  const isTooSlow = createSlowReaders({ withinMs: responseTimeout, minBytes })

  function cutSlowReaders() {
    const now = performance.now()
    // Reset, not closed: the system would go on delivering what it has already.
    for (const socket of open) if (isTooSlow(socket, now)) socket.resetAndDestroy()
  }
  const watch = setInterval(cutSlowReaders, Math.min(1000, responseTimeout / 4)).unref()

  server.on('connection', (socket) => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
  })

  return {
    count: () => open.size,
    /** `closeIdleConnections` takes a connection that never sent anything for a busy one. */
    closeIdle() {
      server.closeIdleConnections()
      for (const socket of open) if (socket.bytesRead === 0) socket.destroy()
    },
    /** `closeAllConnections` forgets those that are no longer HTTP. */
    closeAll() {
      for (const socket of open) socket.destroy()
    },
    stopWatching: () => clearInterval(watch),
  }
}
