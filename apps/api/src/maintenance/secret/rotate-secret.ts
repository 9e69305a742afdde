import { existsSync, rmSync } from 'node:fs'
import { createKeyVault } from '../../crypto/key-vault.ts'
import {
  generateSecret,
  nextSecretFile,
  promoteSecret,
  secretMatches,
  writeSecret,
} from '../../crypto/secret.ts'
import { readDeployment } from '../../db/deployment.ts'
import { DatabaseError } from '../../db/errors.ts'
import { requireNoneOf } from '../../db/migration-history.ts'
import { type Sql, transactOn } from '../../db/sql.ts'
import { withFile } from '../../db/sqlite/file.ts'
import { lockExclusive } from '../../db/sqlite/lock.ts'
import { createSqliteMigrator, type MigratorOptions } from '../../db/sqlite/migrate.ts'
import { UserError } from '../../user-error.ts'
import { loadSecret } from './load-secret.ts'
import { reencrypt } from './reencrypt.ts'

export type RotationStep = 'written' | 'reencrypted' | 'committed' | 'placed'

interface RotationOptions extends MigratorOptions {
  /** `SALEPROOF_SECRET`, where it is set: then the operator keeps the new one as well, and no file is written. */
  given: string | undefined
  /** The new secret; without, one is made. */
  next?: string | undefined
  /** Called after each step. */
  onStep?: ((step: RotationStep) => void) | undefined
}

export interface Rotated {
  keys: number
  /** The file of the old secret; undefined where the operator keeps it. */
  kept: string | undefined
  /** Whether everything that was encrypted with the old secret is gone from the files. */
  cleaned: boolean
  /** The database already had this secret: an earlier rotation to it was interrupted. */
  already: boolean
}

async function requireMigrated(options: RotationOptions) {
  if (!existsSync(options.databaseFile))
    throw new UserError(
      `there is no database ${options.databaseFile}: set DATABASE_URL to the one whose secret to rotate`,
    )
  requireNoneOf((await createSqliteMigrator(options).status()).pending)
}

/** Removes pages and a log in which keys are encrypted with the old secret. */
async function clean({ run }: Sql): Promise<boolean> {
  try {
    await run('VACUUM')
    await run('PRAGMA wal_checkpoint(TRUNCATE)')
    return true
  } catch (error) {
    if (error instanceof DatabaseError) return false
    throw error
  }
}

/** The new secret. The operator or a file keeps it: a crash must not lose it. */
function nextSecret({ databaseFile, given, next }: RotationOptions, current: string): string {
  if (next === current) throw new UserError('the new secret is the one that is in use: choose another one')
  if (given !== undefined) {
    if (next === undefined) throw new UserError('SALEPROOF_SECRET is set: give the new secret as well')
    return next
  }
  const file = nextSecretFile(databaseFile)
  // An interrupted rotation that changed nothing may have left one.
  rmSync(file, { force: true })
  const secret = next ?? generateSecret()
  writeSecret(file, secret, databaseFile)
  return secret
}

async function rotateHeld(file: Sql, options: RotationOptions, current: string): Promise<Rotated> {
  const { databaseFile, given, clock, onStep } = options
  const from = createKeyVault(current)
  const next = nextSecret(options, current)
  onStep?.('written')
  const to = createKeyVault(next)
  await file.run('PRAGMA synchronous = FULL')
  const keys = await transactOn(file, async (sql) => {
    const count = await reencrypt(sql, { from, to, at: clock() })
    onStep?.('reencrypted')
    return count
  })
  onStep?.('committed')
  const kept = given === undefined ? promoteSecret(databaseFile, clock()) : undefined
  onStep?.('placed')
  return { keys, kept, cleaned: await clean(file), already: false }
}

async function isDone({ databaseFile, given, next }: RotationOptions): Promise<boolean> {
  const deployment = await withFile(databaseFile, readDeployment, { timeoutMs: 0 })
  const stored = deployment?.secretCheck
  return given !== undefined && !secretMatches(given, stored) && secretMatches(next, stored)
}

/**
 * Encrypts everything with a new secret, while nothing uses the database. Wherever this is interrupted, the database has the old secret or
 * the new one, and a start finds that one in its file.
 */
export async function rotateSecret(options: RotationOptions): Promise<Rotated> {
  const { databaseFile, given, clock } = options
  await requireMigrated(options)
  const taken = lockExclusive(databaseFile)
  try {
    if (await isDone(options)) return { keys: 0, kept: undefined, cleaned: true, already: true }
    const current = await loadSecret({ databaseFile, given, clock })
    return await withFile(databaseFile, (file) => rotateHeld(file, options, current), { exclusive: true })
  } finally {
    taken.release()
  }
}
