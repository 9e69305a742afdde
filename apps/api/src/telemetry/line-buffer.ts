import type { DestinationStream } from 'pino'

/** Lines wait for so many others, or for so long, before they are written. */
const largestBuffer = 32 * 1024
const longestWaitMs = 200

export interface LineBuffer extends DestinationStream {
  /** Writes what waits to be written. */
  flush: () => void
}

/** Gathers lines and writes them in large pieces: to write each by itself costs as much as to answer a request. */
export function createLineBuffer(stream: DestinationStream): LineBuffer {
  let lines = ''
  let timer: NodeJS.Timeout | undefined

  function flush() {
    clearTimeout(timer)
    timer = undefined
    if (lines === '') return
    const whole = lines
    lines = ''
    stream.write(whole)
  }

  return {
    write(line) {
      lines += line
      if (lines.length >= largestBuffer) flush()
      else timer ??= setTimeout(flush, longestWaitMs).unref()
    },
    flush,
  }
}
