import type { Observe } from './observer.ts'

interface RequestLogOptions {
  /** Takes a line with its end. */
  write: (line: string) => void
  now: () => number
}

const quoted = (text: string | null) => (text === null ? 'null' : `"${text}"`)

/**
 * One line a request, in the form of pino's other lines. It is put together by hand because it is written for every request, and
 * because each member is known to need no escaping: methods and routes are ours, ids are of letters and digits.
 */
export function createRequestLog({ write, now }: RequestLogOptions): Observe {
  let lastTime = 0
  let stamp = ''
  return function log({ method, route, status, code, durationMs, requestId, workspace }) {
    const time = now()
    if (time !== lastTime) {
      lastTime = time
      stamp = new Date(time).toISOString()
    }
    write(
      `{"level":30,"time":"${stamp}","method":${quoted(method)},"route":${quoted(route)},"status":${status},` +
        `"code":${quoted(code)},"durationMs":${Math.round(durationMs * 1000) / 1000},"requestId":"${requestId}",` +
        `"workspace":${quoted(workspace)},"msg":"request"}\n`,
    )
  }
}
