import { getOrAdd } from '../get-or-add.ts'
import type { Observe } from '../http/request-event.ts'

interface RequestLogOptions {
  write: (line: string) => void
  now: () => number
}

const quoted = (text: string | null) => (text === null ? 'null' : `"${text}"`)

interface Middle {
  method: string | null
  status: number
  text: string
}

/** Caches the part of a line that all requests with the same method, route, status and code share. */
function createMiddles() {
  const byRoute = new Map<string | null, Map<string | null, Middle[]>>()
  return function middle(
    method: string | null,
    route: string | null,
    status: number,
    code: string | null,
  ): string {
    const byCode = getOrAdd(byRoute, route, () => new Map<string | null, Middle[]>())
    const middles = getOrAdd(byCode, code, (): Middle[] => [])
    // Few, and compared without a string for each request.
    const known = middles.find((one) => one.status === status && one.method === method)
    if (known) return known.text
    const text = `"method":${quoted(method)},"route":${quoted(route)},"status":${status},"code":${quoted(code)}`
    middles.push({ method, status, text })
    return text
  }
}

/**
 * Writes one line per request, in pino's format. Built by hand, of as few pieces as possible, because it runs for every request, and
 * because no field needs escaping: methods and routes are ours, ids consist of letters and digits.
 */
export function createRequestLog({ write, now }: RequestLogOptions): Observe {
  const middleText = createMiddles()
  let lastTime = Number.NaN
  let head = ''
  return function log({ method, route, status, code, durationMs, requestId, workspace }) {
    const time = now()
    if (time !== lastTime) {
      lastTime = time
      head = `{"level":30,"time":"${new Date(time).toISOString()}",`
    }
    const middle = middleText(method, route, status, code)
    const microseconds = Math.round(durationMs * 1000)
    write(
      `${head}${middle},"durationMs":${microseconds / 1000},"requestId":"${requestId}","workspace":${workspace},"msg":"request"}\n`,
    )
  }
}
