import type { Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { type AdmissionOptions, createAdmission } from './admission.ts'
import { type Connection, pendingResponse } from './pipelining.ts'
import { createSlowReaders } from './slow-readers.ts'

/** Grace period for the client to read the final response. */
const lingerMs = 2000

/** A slow line takes some 2 KB in a second; a client that takes less does not want the response. */
const minBytes = 64 * 1024

export interface ConnectionsOptions extends AdmissionOptions {
  server: Server
  /** How long a client may take for a part of a response, and how long a connection may be idle; in milliseconds. */
  timeouts: { response: number; idle: number }
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
 * Finds connections that wait too long for their next request. Node's own timer begins again with every line end, which may come before a
 * request.
 */
function createIdleTimer(withinMs: number) {
  const last = new WeakMap<Connection, { response: object; at: number }>()

  return function isIdleTooLong(socket: Connection, now: number): boolean {
    const { latest } = socket
    if (!latest || pendingResponse(socket)) return false
    const idle = last.get(socket)
    if (idle?.response === latest) return now - idle.at >= withinMs
    last.set(socket, { response: latest, at: now })
    return false
  }
}

/** Tracks the connections of a server: keeps to their limits, and cuts off clients that do not read their responses or send nothing. */
export function watchConnections({ server, timeouts, ...limits }: ConnectionsOptions) {
  const { open, admit } = createAdmission(limits)
  const isTooSlow = createSlowReaders({ withinMs: timeouts.response, minBytes })
  const isIdleTooLong = createIdleTimer(timeouts.idle)

  function cutOff() {
    const now = performance.now()
    for (const socket of open) {
      // Reset, not closed: the system would go on delivering what it has already.
      if (isTooSlow(socket, now)) socket.resetAndDestroy()
      else if (isIdleTooLong(socket, now)) socket.destroy()
    }
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
