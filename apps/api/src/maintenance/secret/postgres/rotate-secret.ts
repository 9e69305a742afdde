import type { Client } from 'pg'
import { createKeyVault } from '../../../crypto/key-vault.ts'
import { matches, secretMatches } from '../../../crypto/secret.ts'
import { readDeployment } from '../../../db/deployment.ts'
import { DatabaseError } from '../../../db/errors.ts'
import { requireNoneOf } from '../../../db/migration-history.ts'
import { readAddress } from '../../../db/postgres/address.ts'
import { withConnection } from '../../../db/postgres/connection.ts'
import { createPostgresMigrator } from '../../../db/postgres/migrate.ts'
import { sqlOn } from '../../../db/postgres/row-types.ts'
import { withExclusiveLock, withoutTimeouts } from '../../../db/postgres/transactions.ts'
import { transactOn } from '../../../db/sql.ts'
import { newId } from '../../../ids.ts'
import { UserError } from '../../../user-error.ts'
import { keyTables, reencrypt } from '../reencrypt.ts'
import type { Rotated } from '../rotate-secret.ts'

interface RotationOptions {
  databaseUrl: string
  /** `SALEPROOF_SECRET`. */
  given: string
  /** The new secret. */
  next: string
  /** The migrations of this build for PostgreSQL. */
  migrations: string
  clock: () => Date
  /** Called after each step. */
  onStep?: ((step: 'reencrypted' | 'committed') => void) | undefined
}

const lockTimeoutMs = 5000

/** VACUUM of a table that the role does not own gives a warning, not an error. */
async function isOwner(client: Client): Promise<boolean> {
  const { rows } = await client.query(
    `SELECT pg_has_role(relowner, 'USAGE') AS owner FROM pg_class WHERE oid = '"ApiKey"'::regclass`,
  )
  return rows[0].owner
}

/** Removes old rows, in which keys are encrypted with the old secret, from the files of the server. */
async function clean(client: Client): Promise<boolean> {
  try {
    if (!(await isOwner(client))) return false
    for (const name of [...Object.keys(keyTables), 'Deployment']) await client.query(`VACUUM FULL "${name}"`)
    return true
  } catch (error) {
    if (error instanceof DatabaseError && error.kind !== 'other') return false
    throw error
  }
}

/** Gives the number of keys; undefined where the database has the new secret already. */
async function reencryptAll(client: Client, { given, next, clock }: RotationOptions) {
  await withExclusiveLock(client)
  const sql = sqlOn(client)
  const stored = (await readDeployment(sql))?.secretCheck
  const from = createKeyVault(given)
  if (!matches(from, stored)) {
    if (secretMatches(next, stored)) return undefined
    throw new UserError(
      'SALEPROOF_SECRET is not the one that this database was made with: set it to that one',
    )
  }
  if (next === given) throw new UserError('the new secret is the one that is in use: choose another one')
  // An instance that connects again finds another deployment than its own, and every request to it fails.
  const options = { from, to: createKeyVault(next), at: clock(), identity: newId() }
  return reencrypt(sql, options)
}

/**
 * Encrypts everything with a new secret, while nothing uses the database, in one transaction: wherever this is interrupted, the database has
 * the old secret or the new one.
 */
export async function rotateSecretOn(options: RotationOptions): Promise<Rotated> {
  const { databaseUrl, migrations: folder, clock, onStep } = options
  const address = readAddress(databaseUrl)
  const { pending } = await createPostgresMigrator({ address, folder, clock }).status()
  requireNoneOf(pending)
  return withConnection(address, { lockTimeoutMs, pipeline: true }, async (client) => {
    async function reencryptWhole() {
      const count = await reencryptAll(client, options)
      onStep?.('reencrypted')
      return count
    }
    const keys = await transactOn(sqlOn(client), reencryptWhole, `BEGIN; ${withoutTimeouts}`)
    onStep?.('committed')
    // Also where the database had the new secret already: that rotation may have been killed here.
    return { keys: keys ?? 0, kept: undefined, cleaned: await clean(client), already: keys === undefined }
  })
}
