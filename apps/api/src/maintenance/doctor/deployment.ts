import type { KeyVault } from '../../crypto/key-vault.ts'
import { MigrationError } from '../../db/migration-error.ts'
import { type SqlSteps, select } from '../../db/sql-steps.ts'
import { decryptKey, type EncryptedKey } from '../secret/reencrypt.ts'
import { type Finding, findingsOf, type Report } from './finding.ts'

// What is checked in the same way in either database.

interface Status {
  pending: readonly string[]
}

/** Whether the database has the migrations of this build. */
export async function checkMigrations(status: () => Status | Promise<Status>): Promise<Finding[]> {
  const { problem, all } = findingsOf('migrations')
  try {
    const { pending } = await status()
    if (pending.length)
      problem(`the database lacks ${pending.join(', ')}`, 'run "saleproof migrate", or start the service')
  } catch (error) {
    if (!(error instanceof MigrationError)) throw error
    problem(error.finding, error.advice ?? 'look at the database')
  }
  return all('all are applied')
}

/** Whether every key opens with the secret. */
export function* checkKeys(vault: KeyVault, { problem }: Report): SqlSteps<void> {
  const rows = yield* select<EncryptedKey>('SELECT "id", "keyHash", "keyCipher" FROM "ApiKey"')
  const bad = rows.filter((row) => decryptKey(row, vault) === undefined).map(({ id }) => id)
  if (bad.length)
    problem(
      `${bad.length} keys cannot be decrypted (${bad.slice(0, 5).join(', ')})`,
      'restore a backup, or revoke them and make new ones',
    )
}
