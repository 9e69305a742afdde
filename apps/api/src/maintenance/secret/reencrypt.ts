import { appendAuditTo, readHead, readHome, writeHead } from '../../audit/append-to-file.ts'
import { type AuditEvent, isGenuine, sealHead } from '../../audit/chain.ts'
import type { KeyVault } from '../../crypto/key-vault.ts'
import type { SqliteConnection } from '../../db/sqlite/connection.ts'
import { UserError } from '../../user-error.ts'

export interface Reencryption {
  from: KeyVault
  to: KeyVault
  at: Date
}

export interface StoredKey {
  id: string
  keyHash: string
  keyCipher: Uint8Array
}

export interface KeyRow extends StoredKey {
  revokedAt: string | Date | null
}

export const pageLength = 1000

/** The key of a row; undefined where the vault cannot decrypt it. */
export function decryptKey({ keyCipher, keyHash }: StoredKey, vault: KeyVault): string | undefined {
  try {
    const key = vault.open(keyCipher, keyHash)
    return vault.hash(key) === keyHash ? key : undefined
  } catch {
    return undefined
  }
}

/** Re-encrypts keys, a page at a time, and fails at the end if some could not be decrypted. */
export function createReencryptor({ from, to }: Pick<Reencryption, 'from' | 'to'>) {
  const damaged: string[] = []
  let count = 0
  return {
    add: (rows: readonly KeyRow[]) =>
      rows.flatMap((row) => {
        const key = decryptKey(row, from)
        if (key === undefined) {
          // A damaged key that is revoked stays as it is: it is refused either way.
          if (row.revokedAt === null) damaged.push(row.id)
          return []
        }
        count += 1
        return [{ id: row.id, keyHash: to.hash(key), keyCipher: to.seal(key) }]
      }),
    /** Gives the number of keys. */
    end(): number {
      if (damaged.length)
        throw new UserError(
          `${damaged.length} keys cannot be decrypted (${damaged.slice(0, 5).join(', ')}), and would stop working: restore a backup, or revoke them and create new ones`,
        )
      return count
    },
  }
}

function reencryptKeys(connection: SqliteConnection, options: Reencryption): number {
  const page = connection.prepare<[string], KeyRow>(
    `SELECT id, keyHash, keyCipher, revokedAt FROM ApiKey WHERE id > ? ORDER BY id LIMIT ${pageLength}`,
  )
  const update = connection.prepare('UPDATE ApiKey SET keyHash = ?, keyCipher = ? WHERE id = ?')
  const reencryptor = createReencryptor(options)
  // In pages: one statement cannot read while another one writes.
  for (let rows = page.all(''); rows.length; rows = page.all(rows.at(-1)?.id ?? ''))
    for (const { id, keyHash, keyCipher } of reencryptor.add(rows)) update.run(keyHash, keyCipher, id)
  return reencryptor.end()
}

export const secretRotated = (at: Date, keys: number): AuditEvent => ({
  at,
  action: 'secret.rotated',
  actor: 'cli',
  subject: `api_key ${keys}`,
})

function sealAudit(connection: SqliteConnection, { from, to, at }: Reencryption, keys: number) {
  appendAuditTo(connection, [secretRotated(at, keys)], from)
  const head = readHead(connection)
  const home = readHome(connection)
  if (head && home && isGenuine(head, home, from))
    writeHead(connection, { ...head, seal: sealHead(head, home, to) })
}

/** Encrypts all keys and seals the audit log with another secret, all or nothing, in the transaction of the caller. Gives the number of keys. */
export function reencrypt(connection: SqliteConnection, options: Reencryption): number {
  const keys = reencryptKeys(connection, options)
  sealAudit(connection, options, keys)
  connection.prepare('UPDATE Deployment SET secretCheck = ? WHERE id = 1').run(options.to.check())
  return keys
}
