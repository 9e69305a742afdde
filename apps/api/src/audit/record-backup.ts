import { createKeyVault } from '../crypto/key-vault.ts'
import { secretFor } from '../crypto/secret.ts'
import { runStepsIn, withSqlite } from '../db/sqlite/connection.ts'
import { readDeployment } from '../db/sqlite/deployment.ts'
import { appendEvents } from './steps.ts'

interface RecordBackup {
  databaseFile: string
  /** `SALEPROOF_SECRET`, where it is set. */
  given: string | undefined
  clock: () => Date
}

/**
 * Records a backup before it is made, so that the backup holds the record too. Gives false where that is impossible: a backup is needed
 * most where the secret is lost, the disk is full or the schema is another one.
 */
export function recordBackup({ databaseFile, given, clock }: RecordBackup): boolean {
  try {
    return withSqlite(databaseFile, (connection) => {
      connection.pragma('synchronous = FULL')
      const secretCheck = readDeployment(connection)?.secretCheck
      const secret = secretFor({ databaseFile, given }, secretCheck)
      if (secret === undefined) return false
      const vault = createKeyVault(secret)
      if (secretCheck !== vault.check()) return false
      const events = [{ at: clock(), action: 'backup', actor: 'cli' }] as const
      connection.transaction(() => runStepsIn(connection, appendEvents(events, vault))).immediate()
      return true
    })
  } catch {
    return false
  }
}
