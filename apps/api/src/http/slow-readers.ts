import type { Socket } from 'node:net'
import { outgoingCounts } from './node-internals.ts'

interface SlowReaderOptions {
  /** Within so many milliseconds … */
  withinMs: number
  /** … a client has to take so many bytes of a response that waits for it. */
  minBytes: number
}

interface Progress {
  taken: number
  at: number
}

/**
 * Finds clients that do not read their responses: without an end to them, a client that asks for long lists and reads none keeps them in
 * memory as long as it likes. `socket.setTimeout` also ends requests that take long to answer, and never a client that reads a byte a
 * second.
 */
export function createSlowReaders({ withinMs, minBytes }: SlowReaderOptions) {
  const last = new WeakMap<Socket, Progress>()

  return function isTooSlow(socket: Socket, now: number): boolean {
    const { dispatched, waiting } = outgoingCounts(socket)
    if (waiting === 0) {
      last.delete(socket)
      return false
    }
    const taken = dispatched - waiting
    const progress = last.get(socket)
    if (progress && taken - progress.taken < minBytes) return now - progress.at >= withinMs
    last.set(socket, { taken, at: now })
    return false
  }
}
