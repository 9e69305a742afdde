import type { KeyVault } from '../../crypto/key-vault.ts'
import type { Sql } from '../../db/sql.ts'
import { appendAudit } from '../../domain/audit-log.ts'
import { UserError } from '../../user-error.ts'

interface Reencryption {
  from: KeyVault
  to: KeyVault
  at: Date
  identity?: string
}

export interface EncryptedKey {
  id: string
  keyHash: string
  keyCipher: Uint8Array
}

interface EncryptedKeyRow extends EncryptedKey {
  endedAt: string | null
}

/** The tables with keys, and which of their columns says when a key ended. */
export const keyTables = { ApiKey: 'revokedAt', SigningKey: 'retiredAt' }

/** The key of a row; undefined where the vault cannot decrypt it. */
export function decryptKey({ keyCipher, keyHash }: EncryptedKey, vault: KeyVault): string | undefined {
  try {
    const key = vault.open(keyCipher, keyHash)
    return vault.hash(key) === keyHash ? key : undefined
  } catch {
    return undefined
  }
}

/** In pages: one statement cannot read while another one writes. Fails at the end if some keys could not be decrypted. */
async function reencryptKeys(sql: Sql, { from, to }: Reencryption): Promise<number> {
  const damaged: string[] = []
  let count = 0
  function reencryptKey(row: EncryptedKeyRow): EncryptedKey[] {
    const key = decryptKey(row, from)
    if (key !== undefined) return [{ id: row.id, keyHash: to.hash(key), keyCipher: to.seal(key) }]
    // A damaged key that has ended stays as it is: it is refused either way.
    if (row.endedAt === null) damaged.push(row.id)
    return []
  }
  for (const [table, end] of Object.entries(keyTables)) {
    const page = `SELECT "id", "keyHash", "keyCipher", "${end}" AS "endedAt" FROM "${table}"
      WHERE "id" > $1 ORDER BY "id" LIMIT 1000`
    const storeKey = `UPDATE "${table}" SET "keyHash" = $2, "keyCipher" = $3 WHERE "id" = $1`
    const nextPage = (after: string) => sql.query<EncryptedKeyRow>(page, after)
    for (let rows = await nextPage(''); rows.length; rows = await nextPage(rows.at(-1)?.id ?? '')) {
      const keys = rows.flatMap(reencryptKey)
      count += keys.length
      await Promise.all(keys.map(({ id, keyHash, keyCipher }) => sql.run(storeKey, id, keyHash, keyCipher)))
    }
  }
  if (damaged.length)
    throw new UserError(
      `${damaged.length} keys cannot be decrypted (${damaged.slice(0, 5).join(', ')}), and would stop working: restore a backup, or revoke (retire) them and create new ones`,
    )
  return count
}

/**
 * Encrypts all keys with another secret, all or nothing, in the transaction of the caller; gives the deployment another identity, if there
 * is one. Gives the number of keys.
 */
export async function reencrypt(sql: Sql, options: Reencryption): Promise<number> {
  const { to, at, identity } = options
  const keys = await reencryptKeys(sql, options)
  await appendAudit(sql, { at, action: 'secret.rotated', actor: 'cli', subject: `api_key ${keys}` })
  if (identity !== undefined)
    await sql.run('UPDATE "Deployment" SET "identity" = $1 WHERE "id" = 1', identity)
  await sql.run('UPDATE "Deployment" SET "secretCheck" = $1 WHERE "id" = 1', to.check())
  return keys
}
