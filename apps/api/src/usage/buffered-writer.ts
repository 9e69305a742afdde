import type { Logger } from 'pino'
import { codeOf } from '../db/errors.ts'

interface BufferedWriterOptions {
  logger: Logger
  everyMs: number
  /** What the log says when a write fails after one that did not. */
  failure: string
  /** Writes what a collector has in memory: all, or as much as is due. One that fails keeps what it could not write and throws. */
  write: (all: boolean) => Promise<void>
}

/** Writes what a collector has in memory from time to time, before it is read, and at the end. No request waits for that. */
export function createBufferedWriter({ logger, everyMs, failure, write }: BufferedWriterOptions) {
  let failing = false
  let flushing = 0
  let flushed = Promise.resolve()

  async function attempt(work: () => Promise<void>) {
    try {
      await work()
      failing = false
    } catch (error) {
      if (!failing) logger.warn({ cause: { code: codeOf(error) || undefined } }, failure)
      failing = true
    }
  }

  /** One after the other: what is read includes what an earlier flush has yet to write. */
  function flush(all = true): Promise<void> {
    flushing++
    flushed = flushed.then(() => attempt(() => write(all))).finally(() => flushing--)
    return flushed
  }

  const timer = setInterval(() => {
    if (flushing === 0) void flush(false)
  }, everyMs).unref()

  return {
    attempt,
    flush,
    close(): Promise<void> {
      clearInterval(timer)
      return flush()
    },
  }
}
