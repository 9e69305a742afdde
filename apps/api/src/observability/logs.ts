import { type DestinationStream, pino } from 'pino'
import type { Observe } from '../http/request-event.ts'
import { createRequestLog } from './request-log.ts'

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
