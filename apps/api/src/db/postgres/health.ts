import { withTimeout } from '../../with-timeout.ts'
import {
  type AskOperations,
  type Expected,
  failureState,
  type Health,
  probeWithinMs,
  type Readiness,
  readHealth,
  unknownHealth,
  worstState,
} from '../health.ts'
import { postgresHistory } from './migrate.ts'
import { type Queryable, requirePrimary } from './primary.ts'
import { sqlOn } from './row-types.ts'

/**
 * Checks a database that serves. Whether it responds is for the operations to say, on their own connections: the pool may be exhausted or
 * its tables locked while they go on, and may have a connection while they get none.
 */
export function createHealthCheck(database: Queryable, expected: Expected) {
  // The start has checked it.
  let last: Health = { database: 'ok', migrations: 'ok', secret: 'ok' }
  let reading: Promise<Health> | undefined

  /** Probes that come while one waits share its connection. */
  function read() {
    reading ??= requirePrimary(database)
      .then(() => readHealth(sqlOn(database), expected, postgresHistory))
      .finally(() => {
        reading = undefined
      })
    return withTimeout(reading, probeWithinMs)
  }

  return async (ask?: AskOperations): Promise<Readiness> => {
    const [found, operations] = await Promise.all([read().catch(failureState), ask?.()])
    const isRead = typeof found === 'object'
    if (isRead) last = found
    const responding = operations ? worstState(operations) : isRead ? 'ok' : found
    // What cannot be read while the operations go on is as it was.
    const checks = isRead || responding === 'ok' ? last : unknownHealth(responding)
    return { checks: checks.database === 'ok' ? { ...checks, database: responding } : checks, operations }
  }
}
