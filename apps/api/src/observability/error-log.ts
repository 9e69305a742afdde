import type { Logger } from 'pino'
import { describeCause, isLoggedByMonitor } from '../db/errors.ts'
import { getOrAdd } from '../get-or-add.ts'
import { throttle } from './throttle.ts'

/** While a database is away, every request fails for the same reason: each is logged once in this time. */
const intervalMs = 10_000

/** Logs database errors that no route meets, by name and code alone: a message may repeat what was sent. */
export function createErrorLog(logger: Logger) {
  const throttles = new Map<string, () => void>()
  return function logError(error: unknown) {
    if (isLoggedByMonitor(error)) return
    const cause = describeCause(error)
    const reason = `${cause.name} ${cause.code}`
    const warn = () => logger.warn({ code: 'unavailable', cause }, 'request failed: database unavailable')
    getOrAdd(throttles, reason, () => throttle(intervalMs, warn))()
  }
}
