import type { SecretOptions } from '../crypto/secret.ts'
import { runStepsIn, withSqlite } from '../db/sqlite/connection.ts'
import { currentVault } from '../db/sqlite/deployment.ts'
import { appendEvents } from './steps.ts'

/**
 * Records a backup before it is made, so that the backup holds the record too. Gives false where that is impossible: a backup is needed
 * most where the secret is lost, the disk is full or the schema is another one.
 */
export function recordBackup(secret: SecretOptions, clock: () => Date): boolean {
  try {
    return withSqlite(secret.databaseFile, (connection) => {
      connection.pragma('synchronous = FULL')
      const vault = currentVault(connection, secret)
      if (!vault) return false
      const events = [{ at: clock(), action: 'backup', actor: 'cli' }] as const
      connection.transaction(() => runStepsIn(connection, appendEvents(events, vault))).immediate()
      return true
    })
  } catch {
    return false
  }
}
