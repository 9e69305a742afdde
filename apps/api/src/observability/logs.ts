import { type DestinationStream, pino } from 'pino'
import type { Observe } from '../http/request-event.ts'

interface RequestLogOptions {
  write: (line: string) => void
  now: () => number
}

const quoted = (text: string | null) => (text === null ? 'null' : `"${text}"`)

/**
 * Writes one line per request, in pino's format. Built by hand, of as few pieces as possible, because it runs for every request, and
 * because no field needs escaping: methods and routes are ours, ids consist of letters and digits.
 */
export function createRequestLog({ write, now }: RequestLogOptions): Observe {
  let lastTime = Number.NaN
  let head = ''
  return function log({ method, route, status, code, durationMs, requestId, workspace }) {
    const time = now()
    if (time !== lastTime) {
      lastTime = time
      head = `{"level":30,"time":"${new Date(time).toISOString()}",`
    }
    const microseconds = Math.round(durationMs * 1000)
    write(
      `${head}"method":${quoted(method)},"route":${quoted(route)},"status":${status},"code":${quoted(code)},"durationMs":${microseconds / 1000},"requestId":"${requestId}","workspace":${workspace},"msg":"request"}\n`,
    )
  }
}

interface LogsOptions {
  level: string
  stream: DestinationStream
  now: () => number
}

export function createLogs({ level, stream, now }: LogsOptions) {
  const logger = pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, stream)
  const requestLog = createRequestLog({ write: (line) => void stream.write(line), now })
  const ignore: Observe = () => {}
  /** Logs a request at the level `info`. */
  return { logger, requestLog: logger.isLevelEnabled('info') ? requestLog : ignore }
}

export type Logs = ReturnType<typeof createLogs>
