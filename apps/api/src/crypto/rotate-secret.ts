import { existsSync, rmSync } from 'node:fs'
import type { Database } from 'better-sqlite3'
import { initAuditLog } from '../audit/init.ts'
import { MigrationError } from '../db/migration-error.ts'
import { deploymentIn } from '../db/sqlite/deployment.ts'
import { takeDatabase } from '../db/sqlite/lock.ts'
import { createMigrator } from '../db/sqlite/migrate.ts'
import { openAlone } from '../maintenance/backup/newer-data.ts'
import { UserError } from '../user-error.ts'
import { createKeyVault } from './key-vault.ts'
import { reseal } from './reencrypt.ts'
import { loadSecret, secretFits } from './secret.ts'
import { generateSecret, nextSecretFile, promoteSecret, readSecret, writeSecret } from './secret-files.ts'

export type RotationStep = 'written' | 'resealed' | 'committed' | 'placed'

interface RotationOptions {
  databaseFile: string
  /** `SALEPROOF_SECRET`, where it is set: then the operator keeps the new one as well, and no file is written. */
  given: string | undefined
  /** The new secret; without, one is made. */
  next?: string | undefined
  /** The migrations of this build. */
  migrations: string
  clock: () => Date
  /** Told of each step when it is done. */
  onStep?: ((step: RotationStep) => void) | undefined
}

export interface Rotated {
  keys: number
  /** Where the secret is now that was the one before; nothing where the operator keeps it. */
  kept: string | undefined
  /** Whether everything that was sealed with the secret before is gone from the file. */
  cleaned: boolean
  /** The database had this secret before: a rotation to it had been interrupted. */
  already: boolean
}

function requireMigrated({ databaseFile, migrations: folder, clock }: RotationOptions) {
  if (!existsSync(databaseFile))
    throw new UserError(
      `there is no database ${databaseFile}: set DATABASE_URL to the one whose secret to rotate`,
    )
  const { pending } = createMigrator({ file: databaseFile, folder, clock }).status()
  if (pending.length)
    throw new MigrationError(
      'pending',
      `the database lacks ${pending.length} migrations: run "saleproof migrate"`,
    )
}

/** Nobody may read pages, or a log, in which keys are sealed with the secret of before. */
function clean(database: Database): boolean {
  try {
    database.exec('VACUUM')
    database.pragma('wal_checkpoint(TRUNCATE)')
    return true
  } catch (error) {
    if (String((error as { code?: string }).code).startsWith('SQLITE_')) return false
    throw error
  }
}

/** The new secret, where a crash does not lose it: in the operator's hands, or in a file. */
function provide({ databaseFile, given, next }: RotationOptions, current: string): string {
  if (next === current) throw new UserError('the new secret is the one that is in use: choose another one')
  if (given !== undefined) {
    if (next === undefined) throw new UserError('SALEPROOF_SECRET is set: give the new secret as well')
    return next
  }
  const file = nextSecretFile(databaseFile)
  // Left by a rotation that was interrupted before it changed anything: the database has the current one.
  rmSync(file, { force: true })
  writeSecret(file, next ?? generateSecret(), databaseFile)
  return readSecret(file)!
}

function rotateHeld(database: Database, options: RotationOptions, current: string): Rotated {
  const { databaseFile, given, clock, onStep } = options
  const from = createKeyVault(current)
  initAuditLog(database, { vault: from, clock })
  const next = provide(options, current)
  onStep?.('written')
  const to = createKeyVault(next)
  database.pragma('synchronous = FULL')
  database.pragma('secure_delete = ON')
  const keys = database
    .transaction(() => {
      const count = reseal(database, { from, to, at: clock() })
      onStep?.('resealed')
      return count
    })
    .immediate()
  onStep?.('committed')
  const kept = given === undefined ? promoteSecret(databaseFile, clock()) : undefined
  onStep?.('placed')
  return { keys, kept, cleaned: clean(database), already: false }
}

function isDone({ databaseFile, given, next }: RotationOptions): boolean {
  const stored = deploymentIn(databaseFile, { busyTimeoutMs: 0 }).read()?.secretCheck
  return given !== undefined && !secretFits(given, stored) && secretFits(next, stored)
}

/**
 * Seals everything with a new secret, while nothing uses the database. Wherever this is interrupted, the database has the one secret or
 * the other, and a start finds that one in its file.
 */
export function rotateSecret(options: RotationOptions): Rotated {
  const { databaseFile, given, clock } = options
  requireMigrated(options)
  const taken = takeDatabase(databaseFile)
  try {
    if (isDone(options)) return { keys: 0, kept: undefined, cleaned: true, already: true }
    const current = loadSecret({ databaseFile, given, clock })
    const database = openAlone(databaseFile)
    if (!database)
      throw new UserError(`the database ${databaseFile} is open in another program: close that first`)
    try {
      return rotateHeld(database, options, current)
    } finally {
      database.close()
    }
  } finally {
    taken.release()
  }
}
