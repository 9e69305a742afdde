import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { type AdmissionOptions, createAdmission } from './admission.ts'
import { outgoingCounts } from './node-internals.ts'
import { type Connection, pendingResponse } from './pipelining.ts'

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

/** Finds connections whose mark has been the same for too long; one without a mark has time. */
function createStallTimer<Mark>(
  withinMs: number,
  markOf: (socket: Socket & Connection, before: Mark | undefined) => Mark | undefined,
) {
  const last = new WeakMap<Socket, { mark: Mark | undefined; at: number }>()
  return function isStalled(socket: Socket & Connection, now: number): boolean {
    const before = last.get(socket)
    const mark = markOf(socket, before?.mark)
    if (before && mark !== undefined && mark === before.mark) return now - before.at >= withinMs
    last.set(socket, { mark, at: now })
    return false
  }
}

/**
 * How much of a response was taken when it was `minBytes` more than before. `socket.setTimeout` also ends requests that take long to answer,
 * and never a client that reads a byte a second: such clients would keep the long lists that they ask for in memory.
 */
function takenOf(socket: Socket, before: number | undefined) {
  const { dispatched, waiting } = outgoingCounts(socket)
  if (waiting === 0) return undefined
  const taken = dispatched - waiting
  return before !== undefined && taken - before < minBytes ? before : taken
}

/** The last response of a connection that waits for a request. Node's own timer begins again with each line end, which may come before one. */
const idleSince = (socket: Connection) => (pendingResponse(socket) ? undefined : socket.latest)

/** Tracks the connections of a server: keeps to their limits, and cuts off clients that do not read their responses or send nothing. */
export function watchConnections({ server, timeouts, ...limits }: ConnectionsOptions) {
  const { open, admit } = createAdmission(limits)
  const isTooSlow = createStallTimer(timeouts.response, takenOf)
  const isIdleTooLong = createStallTimer(timeouts.idle, idleSince)

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
