import type { Socket } from 'node:net'

interface SlowReaderOptions {
  /** Within so many milliseconds … */
  withinMs: number
  /** … a client has to take so many bytes of a response that waits for it. */
  minBytes: number
}

/**
 * What Node.js counts of a connection and has no public name for: bytes handed to the system, and of those the ones that it did not take
 * yet. slow-connections.test.ts fails where they go.
 */
interface OutgoingCounts {
  _bytesDispatched?: number
  _handle?: { writeQueueSize?: number } | null
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

  return function isTooSlow(socket: Socket & OutgoingCounts, now: number): boolean {
    const { _bytesDispatched: dispatched = 0, _handle: handle } = socket
    const waiting = handle?.writeQueueSize ?? 0
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
