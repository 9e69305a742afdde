import type { Database } from 'better-sqlite3'
import { appendAuditTo, readHead, readHome, writeHead } from '../audit/append-to-file.ts'
import { isGenuine, sealHead } from '../audit/chain.ts'
import { Refusal } from '../domain/refusal.ts'
import type { KeyVault } from './key-vault.ts'

interface Reseal {
  from: KeyVault
  to: KeyVault
  at: Date
}

interface KeyRow {
  id: string
  keyHash: string
  keyCipher: Uint8Array
  revokedAt: string | null
}

const pageLength = 1000

/** All keys, in pages: one statement cannot read while another one writes. */
function* keysOf(database: Database): Generator<KeyRow> {
  const page = database.prepare<[string], KeyRow>(
    `SELECT id, keyHash, keyCipher, revokedAt FROM ApiKey WHERE id > ? ORDER BY id LIMIT ${pageLength}`,
  )
  for (let rows = page.all(''); rows.length; rows = page.all(rows.at(-1)!.id)) yield* rows
}

function open({ keyCipher, keyHash }: KeyRow, vault: KeyVault): string | undefined {
  try {
    const key = vault.open(keyCipher, keyHash)
    return vault.hash(key) === keyHash ? key : undefined
  } catch {
    return undefined
  }
}

function resealKeys(database: Database, { from, to }: Reseal): number {
  const update = database.prepare('UPDATE ApiKey SET keyHash = ?, keyCipher = ? WHERE id = ?')
  const damaged: string[] = []
  let count = 0
  for (const row of keysOf(database)) {
    const key = open(row, from)
    if (key !== undefined) {
      update.run(to.hash(key), to.seal(key), row.id)
      count += 1
    } else if (row.revokedAt === null) damaged.push(row.id)
  }
  // A revoked one that is damaged stays as it is: it is refused either way.
  if (damaged.length)
    throw new Refusal(
      `${damaged.length} keys cannot be opened (${damaged.slice(0, 5).join(', ')}), and would not work any more: restore a backup, or revoke them and make new ones`,
    )
  return count
}

function resealAudit(database: Database, { from, to, at }: Reseal, keys: number) {
  const event = { at, action: 'secret.rotated' as const, actor: 'cli', subject: `api_key ${keys}` }
  appendAuditTo(database, [event], from)
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
