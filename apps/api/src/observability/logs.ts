import { type DestinationStream, type Logger, pino } from 'pino'
import type { Observe } from '../http/request-event.ts'
import { createRequestLog } from './request-log.ts'

interface LogsOptions {
  level: string
  stream: DestinationStream
  now: () => number
}

export interface Logs {
  logger: Logger
  /** Logs a request at the level `info`. */
  requestLog: Observe
}

export function createLogs({ level, stream, now }: LogsOptions): Logs {
  const logger = pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, stream)
  const requestLog = createRequestLog({ write: (line) => void stream.write(line), now })
  return { logger, requestLog: logger.isLevelEnabled('info') ? requestLog : () => {} }
}
