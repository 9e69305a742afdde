import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { type AdmissionOptions, createAdmission } from './admission.ts'
import { outgoingCounts } from './node-internals.ts'

/** Grace period for the client to read the final response. */
const lingerMs = 2000

/** A slow line takes some 2 KB in a second; a client that takes less does not want the response. */
const minBytes = 64 * 1024

export interface ConnectionsOptions extends AdmissionOptions {
  server: Server
  /** How long a client may take for a part of a response, in milliseconds. */
  timeouts: { response: number }
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

/**
 * Finds connections that took less than `minBytes` of a response in a time. `socket.setTimeout` also ends requests that take long to answer,
 * and never a client that reads a byte a second: such clients would keep the long lists that they ask for in memory.
 */
function createSlowReaderTimer(withinMs: number) {
  const last = new WeakMap<Socket, { taken: number; at: number }>()
  return function isTooSlow(socket: Socket, now: number): boolean {
    const { dispatched, waiting } = outgoingCounts(socket)
    const taken = dispatched - waiting
    const before = last.get(socket)
    if (waiting === 0) last.delete(socket)
    else if (!before || taken - before.taken >= minBytes) last.set(socket, { taken, at: now })
    else return now - before.at >= withinMs
    return false
  }
}

/** Tracks the connections of a server: keeps to their limits, and cuts off clients that do not read their responses. */
export function watchConnections({ server, timeouts, ...limits }: ConnectionsOptions) {
  const { open, admit } = createAdmission(limits)
  const isTooSlow = createSlowReaderTimer(timeouts.response)

  function cutOff() {
    const now = performance.now()
    // Reset, not closed: the system would go on delivering what it has already.
    for (const socket of open) if (isTooSlow(socket, now)) socket.resetAndDestroy()
  }
  const watch = setInterval(cutOff, Math.min(1000, timeouts.response / 4)).unref()

  server.on('connection', admit)

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
