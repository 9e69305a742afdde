import Sqlite from 'better-sqlite3'
import { createKeyVault } from '../crypto/key-vault.ts'
import { secretFor } from '../crypto/secret.ts'
import { appendAuditTo } from './append-to-file.ts'

interface RecordBackup {
  databaseFile: string
  /** `SALEPROOF_SECRET`, where it is set. */
  given: string | undefined
  clock: () => Date
}

/** A backup shall not wait for long for who writes. */
const busyTimeoutMs = 5000

/**
 * Records that a backup is made, before it is: so the backup holds that too. Gives whether it could be: a backup is needed most where the
 * secret is lost, the disk is full or the schema is another one.
 */
export function recordBackup({ databaseFile, given, clock }: RecordBackup): boolean {
  try {
    const database = new Sqlite(databaseFile, { fileMustExist: true, timeout: busyTimeoutMs })
    try {
      database.pragma('synchronous = FULL')
      const check = database.prepare('SELECT secretCheck FROM Deployment WHERE id = 1').pluck().get()
      const secret = secretFor({ databaseFile, given }, check)
      if (secret === undefined) return false
      const vault = createKeyVault(secret)
      if (check !== vault.check()) return false
      const event = { at: clock(), action: 'backup' as const, actor: 'cli' }
      database.transaction(() => appendAuditTo(database, [event], vault)).immediate()
      return true
    } finally {
      database.close()
    }
  } catch {
    return false
  }
}
