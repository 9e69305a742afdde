import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { createSlowReaders } from './slow-readers.ts'

/** A caller who was told good-bye has so long to take it and to close his end. */
const lingerMs = 2000

/** A slow line takes some 2 KB in a second; who takes less does not want it. */
const leastBytes = 64 * 1024

interface ConnectionsOptions {
  server: Server
  /** How long a caller may take for a part of an answer. */
  answerTimeout: number
}

/**
 * Ends a connection with a last word, which has to arrive: closed at once while there is something unread, the system would throw it
 * away. Who does not close his end then is not waited for; without reading, the system would not even say that he did.
 */
export function endSoon(socket: Duplex, text?: string) {
  const timer = setTimeout(() => socket.destroy(), lingerMs)
  socket.once('close', () => clearTimeout(timer))
  socket.end(text)
  socket.resume()
}

/** The connections of a server. Those whose callers do not take their answers are cut off. */
export function watchConnections({ server, answerTimeout }: ConnectionsOptions) {
  const open = new Set<Socket>()
  const isTooSlow = createSlowReaders({ withinMs: answerTimeout, leastBytes })

  function cutSlowReaders() {
    const now = performance.now()
    // Reset, not closed: the system would go on trying to deliver what it has already.
    for (const socket of open) if (isTooSlow(socket, now)) socket.resetAndDestroy()
  }
  const watch = setInterval(cutSlowReaders, Math.min(1000, answerTimeout / 4)).unref()

  server.on('connection', (socket) => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
  })

  return {
    count: () => open.size,
    /** `closeIdleConnections` takes a connection that never said anything for a busy one. */
    closeIdle() {
      server.closeIdleConnections()
      for (const socket of open) if (socket.bytesRead === 0) socket.destroy()
    },
    /** `closeAllConnections` forgets those that are no HTTP any more. */
    closeAll() {
      for (const socket of open) socket.destroy()
    },
    stopWatching: () => clearInterval(watch),
  }
}
