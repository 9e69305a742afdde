import type { Logger } from 'pino'
import { shouldLog } from '../../http/error-handler.ts'
import { throttle } from '../../observability/throttle.ts'

/** So long nothing more is said of one reason: while a database is away, every request fails for the same. */
const silentMs = 10_000

/** Says why answers could not be found out, where no route does: only by name and code, for a message may repeat what was sent. */
export function createErrorLog(logger: Logger) {
  const tellers = new Map<string, () => void>()
  return function tell(error: unknown) {
    if (!shouldLog(error)) return
    const { name, code } = error as { name?: string; code?: unknown }
    const reason = `${name} ${code}`
    const teller =
      tellers.get(reason) ??
      throttle(silentMs, () =>
        logger.warn({ code: 'unavailable', cause: { name, code } }, 'the answer could not be found out'),
      )
    tellers.set(reason, teller)
    teller()
  }
}
