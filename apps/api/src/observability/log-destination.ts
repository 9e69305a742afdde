import { write, writeSync } from 'node:fs'

/** How long the other end may take before it is tried again. */
const retryMs = 100

const codeOf = (error: unknown) => (error as { code?: string }).code ?? ''
/** The reader is slow, and nothing is wrong. */
const isBusy = (error: unknown) => /^(EAGAIN|EBUSY)$/.test(codeOf(error))

interface LogDestinationOptions {
  fd: number
  /** So many bytes may wait; what comes after is given up until there is room. */
  mostWaiting: number
}

/**
 * Writes to a file descriptor, whatever becomes of what is behind it: a disk that is full, a terminal that is gone and a reader that is
 * slow are tried again with what waits, and lose nothing before too much waits. pino's own destination throws what the system says of the
 * first of these, and writing to it for the last time before the process ends does not end while a disk is full.
 */
export function createLogDestination({ fd, mostWaiting }: LogDestinationOptions) {
  const waiting: Buffer[] = []
  let [length, closed] = [0, false]
  /** Whether the system has the first of what waits, or is asked again later. */
  let state: 'idle' | 'writing' | 'paused' = 'idle'

  function note(written: number) {
    const [first] = waiting
    if (!first) return
    length -= written
    if (written === first.length) waiting.shift()
    else waiting[0] = first.subarray(written)
  }

  function close() {
    closed = true
    waiting.length = 0
  }

  function retry(error: unknown) {
    // Nobody will ever read a pipe again that nobody holds.
    if (codeOf(error) === 'EPIPE') return close()
    state = 'paused'
    const timer = setTimeout(() => {
      state = 'idle'
      next()
    }, retryMs)
    // What a slow reader has not taken yet is waited for when the process ends, a disk without room is not.
    if (!isBusy(error)) timer.unref()
  }

  function next() {
    const [first] = waiting
    if (state !== 'idle' || closed || !first) return
    state = 'writing'
    write(fd, first, (error, written) => {
      state = 'idle'
      if (closed) return
      if (error) return retry(error)
      note(written)
      next()
    })
  }

  return {
    write(bytes: Buffer): void {
      if (closed || length + bytes.length > mostWaiting) return
      waiting.push(bytes)
      length += bytes.length
      // Not yet: what a process says before it crashes is written by `flushSync`.
      queueMicrotask(next)
    },
    /** Writes at once what can be written, before the process ends. */
    flushSync(): void {
      if (state === 'writing') waiting.shift()
      try {
        while (!closed && waiting[0]) note(writeSync(fd, waiting[0]))
      } catch {
        // The process ends all the same, and somebody may be waiting for that.
      }
    },
    /** Gives up what waits. */
    close,
  }
}
