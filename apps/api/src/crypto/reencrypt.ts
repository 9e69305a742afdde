import type { Database } from 'better-sqlite3'
import { appendAuditTo, readHead, readHome, writeHead } from '../audit/append-to-file.ts'
import { type AuditEvent, isGenuine, sealHead } from '../audit/chain.ts'
import { UserError } from '../user-error.ts'
import type { KeyVault } from './key-vault.ts'

export interface Reseal {
  from: KeyVault
  to: KeyVault
  at: Date
}

export interface KeyRow {
  id: string
  keyHash: string
  keyCipher: Uint8Array
  revokedAt: string | Date | null
}

export const pageLength = 1000

/** All keys, in pages: one statement cannot read while another one writes. */
function* pagesOf(database: Database): Generator<KeyRow[]> {
  const page = database.prepare<[string], KeyRow>(
    `SELECT id, keyHash, keyCipher, revokedAt FROM ApiKey WHERE id > ? ORDER BY id LIMIT ${pageLength}`,
  )
  for (let rows = page.all(''); rows.length; rows = page.all(rows.at(-1)!.id)) yield rows
}

function open({ keyCipher, keyHash }: KeyRow, vault: KeyVault): string | undefined {
  try {
    const key = vault.open(keyCipher, keyHash)
    return vault.hash(key) === keyHash ? key : undefined
  } catch {
    return undefined
  }
}

/** A key as it is kept under another secret. */
export interface Resealed {
  id: string
  keyHash: string
  keyCipher: Uint8Array
}

/** Seals keys anew, a few at a time, and refuses in the end if some could not be opened. */
export function createResealer({ from, to }: Pick<Reseal, 'from' | 'to'>) {
  const damaged: string[] = []
  let count = 0
  return {
    take(rows: readonly KeyRow[]): Resealed[] {
      return rows.flatMap((row) => {
        const key = open(row, from)
        if (key === undefined) {
          // A revoked one that is damaged stays as it is: it is refused either way.
          if (row.revokedAt === null) damaged.push(row.id)
          return []
        }
        count += 1
        return [{ id: row.id, keyHash: to.hash(key), keyCipher: to.seal(key) }]
      })
    },
    /** Gives how many there were. */
    end(): number {
      if (damaged.length)
        throw new UserError(
          `${damaged.length} keys cannot be opened (${damaged.slice(0, 5).join(', ')}), and would not work any more: restore a backup, or revoke them and make new ones`,
        )
      return count
    },
  }
}

function resealKeys(database: Database, reseal: Reseal): number {
  const update = database.prepare('UPDATE ApiKey SET keyHash = ?, keyCipher = ? WHERE id = ?')
  const resealer = createResealer(reseal)
  for (const rows of pagesOf(database))
    for (const { id, keyHash, keyCipher } of resealer.take(rows)) update.run(keyHash, keyCipher, id)
  return resealer.end()
}

export const rotated = (at: Date, keys: number): AuditEvent => ({
  ...{ at, action: 'secret.rotated', actor: 'cli', subject: `api_key ${keys}` },
})

function resealAudit(database: Database, { from, to, at }: Reseal, keys: number) {
  appendAuditTo(database, [rotated(at, keys)], from)
  const [head, home] = [readHead(database), readHome(database)]
  if (head && home && isGenuine(head, home, from))
    writeHead(database, { ...head, seal: sealHead(head, home, to) })
}

/** Makes everything that is sealed with one secret anew with another; all or nothing, in the caller's transaction. Gives how many keys. */
export function reseal(database: Database, options: Reseal): number {
  const keys = resealKeys(database, options)
  resealAudit(database, options, keys)
  database.prepare('UPDATE Deployment SET secretCheck = ? WHERE id = 1').run(options.to.check())
  return keys
}
