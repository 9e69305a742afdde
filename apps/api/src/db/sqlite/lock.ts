import { closeSync, existsSync, mkdirSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import Sqlite from 'better-sqlite3'
import { UserError } from '../../user-error.ts'
import { MigrationError } from '../migration-error.ts'
import { giveToOwner } from './chown.ts'

/** A file of its own, because a restore puts another one in the place of the database. It stays empty. */
export const lockFile = (databaseFile: string) => `${databaseFile}.lock`

/** How long to wait for a restore to end. */
const waitMs = 5000

/** The locks are SQLite's, which are the system's: they end with the process, however it ends. */
function lock(databaseFile: string, { timeout, statements }: { timeout: number; statements: string }) {
  const file = lockFile(databaseFile)
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    if (!existsSync(file)) {
      closeSync(openSync(file, 'a', 0o600))
      giveToOwner(file, databaseFile)
    }
    const database = new Sqlite(file, { timeout })
    try {
      database.exec(statements)
    } catch (error) {
      database.close()
      throw error
    }
    return { release: () => void database.close() }
  } catch (error) {
    const code = String((error as { code?: string }).code ?? '')
    if (code.startsWith('SQLITE_BUSY')) return undefined
    throw new MigrationError(
      'unreadable',
      `the database ${databaseFile} cannot be opened (${code}): check its folder and permissions`,
      error,
    )
  }
}

/** Keeps a restore from replacing the database while it is used. As many processes as there are may hold it. */
export function holdDatabase(databaseFile: string): { release: () => void } {
  const held = lock(databaseFile, { timeout: waitMs, statements: 'BEGIN; SELECT 1 FROM sqlite_master' })
  if (held) return held
  throw new UserError(`a backup is being restored to ${databaseFile}: wait until that is done`)
}

/** Takes the database for a restore: refused while any process of ours uses it, and none starts to until it is released. */
export function takeDatabase(databaseFile: string): { release: () => void } {
  const taken = lock(databaseFile, { timeout: 0, statements: 'BEGIN EXCLUSIVE' })
  if (taken) return taken
  throw new UserError(
    `the database ${databaseFile} is in use: stop "saleproof serve" and every other command first`,
  )
}
