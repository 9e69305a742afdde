import type { Logger } from 'pino'
import { shouldLog } from '../../http/error-handler.ts'
import { throttle } from '../../observability/throttle.ts'

/** While a database is away, every request fails for the same reason: each is logged once in this time. */
const intervalMs = 10_000

/** Logs database errors that no route meets, by name and code alone: a message may repeat what was sent. */
export function createErrorLog(logger: Logger) {
  const throttles = new Map<string, () => void>()
  return function logError(error: unknown) {
    if (!shouldLog(error)) return
    const { name, code } = error as { name?: string; code?: unknown }
    const reason = `${name} ${code}`
    const log =
      throttles.get(reason) ??
      throttle(intervalMs, () =>
        logger.warn({ code: 'unavailable', cause: { name, code } }, 'request failed: database unavailable'),
      )
    throttles.set(reason, log)
    log()
  }
}
