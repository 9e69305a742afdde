import { statSync } from 'node:fs'
import { DatabaseError, isDamage } from '../errors.ts'
import { type Expected, type Health, healthOf, unknownHealth } from '../health.ts'
import { appliedMigrations } from '../migration-history.ts'
import type { SqliteConnection } from './connection.ts'
import { readDeployment } from './deployment.ts'
import { fromSqlite } from './errors.ts'
import { holdsUnmoved, type LogIndex, readProgress } from './log-index.ts'

function stateOf(error: unknown): Health['database'] {
  const known = fromSqlite(error)
  if (!(known instanceof DatabaseError)) return 'failed'
  if (known.kind === 'busy') return 'locked'
  return isDamage(known) ? 'damaged' : 'failed'
}

export async function checkHealth(connection: SqliteConnection, expected: Expected): Promise<Health> {
  try {
    const deployment = readDeployment(connection)
    if (!deployment) return unknownHealth('failed')
    return await healthOf(expected, deployment.secretCheck, () =>
      appliedMigrations(connection, expected.known),
    )
  } catch (error) {
    return unknownHealth(stateOf(error))
  }
}

/**
 * Whether a file is as long as the database in it says. It is not while it is being copied, nor while other processes still use the log
 * index of the file that was there before. While the log holds pages, the length says nothing.
 */
export function isWhole(connection: SqliteConnection, file: string, index: LogIndex): boolean {
  const read = (name: string) => Number(connection.pragma(name, { simple: true }))
  return (
    holdsUnmoved(readProgress(index.descriptor())) ||
    statSync(file).size === read('page_count') * read('page_size')
  )
}
