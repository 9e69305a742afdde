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

/**
 * Writes log lines to a file descriptor, many at once: a write per line would cost as much as handling a request. A full disk, a closed
 * terminal or a slow reader must not stop the service, so writes that fail are retried. pino's own destination, sonic-boom, throws in the
 * first of these cases, and its last flush never returns while the disk is full.
 */
export function createLogStream({ fd, maxQueued }: LogStreamOptions) {
  let lines = ''
  /** What is being written, or has to be written again. */
  let piece = Buffer.alloc(0)
  let isWriting = false
  let isClosed = false
  let flushing: NodeJS.Timeout | undefined
  let retrying: NodeJS.Timeout | undefined

  /** Whether there is something to write. */
  function takePiece(): boolean {
    if (piece.length === 0) {
      piece = Buffer.from(lines)
      lines = ''
    }
    return piece.length > 0
  }

  /** Drops everything that waits, now and later. */
  function close() {
    isClosed = true
    lines = ''
    piece = Buffer.alloc(0)
  }

  function retry(error: unknown) {
    // No other process holds the pipe any more.
    if (errorCode(error) === 'EPIPE') return close()
    clearTimeout(retrying)
    retrying = setTimeout(writeNext, retryAfterMs)
    // A process that ends waits for a slow reader, but not for space on a disk.
    if (!isBusy(error)) retrying.unref()
  }

  function writeNext() {
    if (isWriting || isClosed || !takePiece()) return
    isWriting = true
    write(fd, piece, (error, written) => {
      isWriting = false
      if (isClosed) return
      if (error) return retry(error)
      piece = piece.subarray(written)
      if (piece.length > 0) writeNext()
      else schedule()
    })
  }

  /** Starts writing the lines so far. */
  function flush() {
    clearTimeout(flushing)
    flushing = undefined
    // Deferred, so that `flushSync` writes the lines of a process that crashes right now.
    queueMicrotask(writeNext)
  }

  /** Lines that came during a write wait like others: written at once, each would be a write of its own. */
  function schedule() {
    if (lines.length >= flushAtLength) flush()
    else if (lines) flushing ??= setTimeout(flush, flushAfterMs).unref()
  }

  return {
    write(line: string) {
      if (isClosed || piece.length + lines.length + line.length > maxQueued) return
      lines += line
      schedule()
    },
    flush,
    /** Writes at once as much as possible, before the process ends. */
    flushSync() {
      // The system has it already.
      if (isWriting) piece = Buffer.alloc(0)
      try {
        while (!isClosed && takePiece()) piece = piece.subarray(writeSync(fd, piece))
      } catch {
        // The process must end even if the log cannot be written.
      }
    },
    close,
  }
}
