import { statSync } from 'node:fs'
import type { Database } from 'better-sqlite3'
import type { KeyVault } from '../../crypto/key-vault.ts'
import { MigrationError } from '../migration-error.ts'
import { appliedMigrations, type Migration } from '../migration-history.ts'
import { holdsUnmoved, type LogIndex, readProgress } from './log-index.ts'

/** What is the matter with each part that has to work, in a word; nothing of it tells where anything is. */
export interface Health {
  database: 'ok' | 'missing' | 'replaced' | 'damaged' | 'locked' | 'failed'
  migrations: 'ok' | 'pending' | 'newer' | 'edited' | 'unfinished' | 'unknown'
  secret: 'ok' | 'wrong' | 'unknown'
}

export const unknownHealth = (database: Health['database']): Health => ({
  ...{ database, migrations: 'unknown', secret: 'unknown' },
})

/** What a database has to agree with to be the one of this service. */
export interface Expected {
  known: readonly Migration[]
  vault: KeyVault
}

interface DeploymentRow {
  identity: string
  secretCheck: string
}

export const readDeployment = (database: Database) =>
  database.prepare<[], DeploymentRow>('SELECT identity, secretCheck FROM Deployment WHERE id = 1').get()

function stateOf(error: unknown): Health['database'] {
  const code = String((error as { code?: unknown } | null)?.code)
  if (/^SQLITE_(BUSY|LOCKED)/.test(code)) return 'locked'
  return /^SQLITE_(CORRUPT|NOTADB)/.test(code) ? 'damaged' : 'failed'
}

function stateOfMigrations(database: Database, known: readonly Migration[]): Health['migrations'] {
  try {
    return appliedMigrations(database, known).length < known.length ? 'pending' : 'ok'
  } catch (error) {
    if (!(error instanceof MigrationError)) throw error
    const { problem } = error
    if (problem === 'newer' || problem === 'edited') return problem
    return problem === 'failed' ? 'unfinished' : 'unknown'
  }
}

/** Asks a database that is open. */
export function checkHealth(database: Database, { known, vault }: Expected): Health {
  try {
    const deployment = readDeployment(database)
    if (!deployment) return unknownHealth('failed')
    return {
      database: 'ok',
      migrations: stateOfMigrations(database, known),
      secret: deployment.secretCheck === vault.check() ? 'ok' : 'wrong',
    }
  } catch (error) {
    return unknownHealth(stateOf(error))
  }
}

/**
 * Whether a file is as long as the database in it says: not where it is being copied, and not where others go on using the index of
 * another one that was there. While the log holds pages, that cannot be told.
 */
export function isWhole(database: Database, file: string, index: LogIndex): boolean {
  const [pages, pageSize] = ['page_count', 'page_size'].map((name) =>
    Number(database.pragma(name, { simple: true })),
  )
  return holdsUnmoved(readProgress(index.descriptor())) || statSync(file).size === pages! * pageSize!
}
