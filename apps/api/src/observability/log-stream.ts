import { write, writeSync } from 'node:fs'
import { errorCode } from '../error-code.ts'

/** Lines are written when this many characters wait, or after this time. */
const flushAtLength = 32 * 1024
const flushAfterMs = 200
/** Pause before a write that failed is retried. */
const retryAfterMs = 100

/** The reader is slow. */
const isBusy = (error: unknown) => /^(EAGAIN|EBUSY)$/.test(errorCode(error))

interface LogStreamOptions {
  fd: number
  /** In bytes. Lines are dropped while more than this waits. */
  maxQueued: number
}

export interface LogStream {
  write(line: string): void
  /** Starts writing the lines so far. */
  flush(): void
  /** Writes at once as much as possible, before the process ends. */
  flushSync(): void
  /** Drops everything that waits, now and later. */
  close(): void
}

/**
 * Writes log lines to a file descriptor, many at once: a write per line would cost as much as handling a request. A full disk, a closed
 * terminal or a slow reader must not stop the service, so writes that fail are retried. pino's own destination, sonic-boom, throws in the
 * first of these cases, and its last flush never returns while the disk is full.
 */
export function createLogStream({ fd, maxQueued }: LogStreamOptions): LogStream {
  let lines = ''
  let timer: NodeJS.Timeout | undefined
  const queue: Buffer[] = []
  let queuedBytes = 0
  let state: 'idle' | 'writing' | 'paused' | 'closed' = 'idle'

  function enqueue() {
    clearTimeout(timer)
    timer = undefined
    const bytes = Buffer.from(lines)
    lines = ''
    if (bytes.length === 0 || state === 'closed' || queuedBytes + bytes.length > maxQueued) return
    queue.push(bytes)
    queuedBytes += bytes.length
  }

  function dequeue(written: number) {
    const [first] = queue
    if (!first) return
    queuedBytes -= written
    if (written === first.length) queue.shift()
    else queue[0] = first.subarray(written)
  }

  function close() {
    state = 'closed'
    queue.length = 0
  }

  function retry(error: unknown) {
    // No other process holds the pipe any more.
    if (errorCode(error) === 'EPIPE') return close()
    state = 'paused'
    const timer = setTimeout(() => {
      if (state === 'paused') state = 'idle'
      writeNext()
    }, retryAfterMs)
    // A process that ends waits for a slow reader, but not for space on a disk.
    if (!isBusy(error)) timer.unref()
  }

  function writeNext() {
    const [first] = queue
    if (state !== 'idle' || !first) return
    state = 'writing'
    write(fd, first, (error, written) => {
      if (state === 'closed') return
      state = 'idle'
      if (error) return retry(error)
      dequeue(written)
      writeNext()
    })
  }

  function flush() {
    enqueue()
    // Deferred, so that `flushSync` writes the lines of a process that crashes right now.
    queueMicrotask(writeNext)
  }

  return {
    write(line) {
      lines += line
      if (lines.length >= flushAtLength) flush()
      else timer ??= setTimeout(flush, flushAfterMs).unref()
    },
    flush,
    flushSync() {
      enqueue()
      // The system has the first piece already.
      if (state === 'writing') queue.shift()
      try {
        while (state !== 'closed' && queue[0]) dequeue(writeSync(fd, queue[0]))
      } catch {
        // The process must end even if the log cannot be written.
      }
    },
    close,
  }
}
