import { withTimeout } from '../../with-timeout.ts'
import { DatabaseError } from '../errors.ts'
import { type Expected, type Health, healthOf, unknownHealth } from '../health.ts'
import { readDeployment } from './deployment.ts'
import { appliedMigrations } from './migrate.ts'
import { requirePrimary } from './primary.ts'
import type { Queryable } from './queryable.ts'

/** A readiness probe does not wait long. */
const withinMs = 2000

async function readHealth(database: Queryable, expected: Expected): Promise<Health> {
  await requirePrimary(database)
  const deployment = await readDeployment(database)
  if (!deployment) return unknownHealth('failed')
  return healthOf(expected, deployment.secretCheck, () => appliedMigrations(database, expected.known))
}

export async function checkHealth(database: Queryable, expected: Expected): Promise<Health> {
  try {
    return await withTimeout(readHealth(database, expected), withinMs)
  } catch (error) {
    const isSlow = error instanceof DatabaseError && (error.kind === 'busy' || error.kind === 'timeout')
    return unknownHealth(isSlow ? 'locked' : 'failed')
  }
}
