import type { KeyVault } from '../../crypto/key-vault.ts'
import type { Migrator } from '../../db/migrator.ts'
import { decryptKey, type EncryptedKey } from '../secret/reencrypt.ts'
import type { Report } from './report.ts'

// What is checked in the same way in either database.

/** Whether the database has the migrations of this build. */
export async function checkMigrations({ status }: Migrator, { problem }: Report, advice: string) {
  const { pending } = await status()
  if (pending.length) problem(`the database lacks ${pending.join(', ')}`, advice)
  return 'all are applied'
}

export const selectKeys = `SELECT "id", "keyHash", "keyCipher" FROM "ApiKey"
  UNION ALL SELECT "id", "keyHash", "keyCipher" FROM "SigningKey"`

/** Whether every key opens with the secret. */
export function checkKeys(keys: readonly EncryptedKey[], vault: KeyVault, { problem }: Report) {
  const bad = keys.filter((row) => decryptKey(row, vault) === undefined).map(({ id }) => id)
  if (bad.length)
    problem(
      `${bad.length} keys cannot be decrypted (${bad.slice(0, 5).join(', ')})`,
      'restore a backup, or revoke (retire) them and make new ones',
    )
}
