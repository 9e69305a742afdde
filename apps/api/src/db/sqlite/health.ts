import { readDeployment } from '../deployment.ts'
import { DatabaseError, isDamage } from '../errors.ts'
import { assembleHealth, type Expected, type Health, unknownHealth } from '../health.ts'
import { type SqliteConnection, sqlIn } from './connection.ts'
import { fromSqlite } from './errors.ts'
import { appliedMigrations } from './migrate.ts'

function errorState(error: unknown): Health['database'] {
  const known = fromSqlite(error)
  if (!(known instanceof DatabaseError)) return 'failed'
  if (known.kind === 'busy') return 'locked'
  return isDamage(known) ? 'damaged' : 'failed'
}

export async function checkHealth(connection: SqliteConnection, expected: Expected): Promise<Health> {
  try {
    const deployment = await readDeployment(sqlIn(connection))
    if (!deployment) return unknownHealth('failed')
    return await assembleHealth(expected, deployment.secretCheck, () =>
      appliedMigrations(connection, expected.known),
    )
  } catch (error) {
    return unknownHealth(errorState(error))
  }
}
