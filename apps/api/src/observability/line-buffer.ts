/** Lines wait for so many others, or for so long, before they are written. */
const largestBuffer = 32 * 1024
const longestWaitMs = 200

export interface LineDestination {
  write: (bytes: Buffer) => unknown
}

export interface LineBuffer {
  write: (line: string) => void
  /** Writes what waits to be written. */
  flush: () => void
}

/** Gathers lines and writes them in large pieces: to write each by itself costs as much as to answer a request. */
export function createLineBuffer(stream: LineDestination): LineBuffer {
  let lines = ''
  let timer: NodeJS.Timeout | undefined

  function flush() {
    clearTimeout(timer)
    timer = undefined
    if (lines === '') return
    const whole = Buffer.from(lines)
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
