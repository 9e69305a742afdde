import type { Socket } from 'node:net'

interface SlowReaderOptions {
  /** Within so many milliseconds … */
  withinMs: number
  /** … a caller has to take so many bytes of an answer that waits for him. */
  leastBytes: number
}

/** What Node.js counts of a connection: bytes handed to the system, and of those the ones that it did not take yet. */
interface Outgoing {
  _bytesDispatched?: number
  _handle?: { writeQueueSize?: number } | null
}

interface Mark {
  taken: number
  at: number
}

/**
 * Finds connections that do not take their answers: without an end to them a caller who asks for long lists and reads none keeps them in
 * memory for as long as he likes. `socket.setTimeout` ends requests that take long to answer as well, and never one who reads a byte a second.
 */
export function createSlowReaders({ withinMs, leastBytes }: SlowReaderOptions) {
  const marks = new WeakMap<Socket, Mark>()

  return function isTooSlow(socket: Socket, now: number): boolean {
    const { _bytesDispatched: dispatched = 0, _handle: handle } = socket as unknown as Outgoing
    const waiting = handle?.writeQueueSize ?? 0
    if (waiting === 0) {
      marks.delete(socket)
      return false
    }
    const taken = dispatched - waiting
    const mark = marks.get(socket)
    if (mark && taken - mark.taken < leastBytes) return now - mark.at >= withinMs
    marks.set(socket, { taken, at: now })
    return false
  }
}
