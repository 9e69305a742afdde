import type { KeyVault } from '../crypto/key-vault.ts'
import { runStepsIn, type SqliteConnection } from '../db/sqlite/connection.ts'
import { readDeployment } from '../db/sqlite/deployment.ts'
import { appendEvents, beginAudit, readHead } from './steps.ts'

type AuditVault = Pick<KeyVault, 'auditKey' | 'check' | 'checkBeforeAudit'>

function beginLate(connection: SqliteConnection, identity: string, vault: AuditVault) {
  const isEmpty = connection.prepare('SELECT 1 FROM AuditEntry LIMIT 1').get() === undefined
  if (isEmpty) runStepsIn(connection, beginAudit(identity, vault))
  connection.prepare('UPDATE Deployment SET secretCheck = ? WHERE id = 1').run(vault.check())
}

interface InitOptions {
  vault: AuditVault
  clock: () => Date
  /** Which backup was restored, where that is known. */
  subject?: string
}

/** Undefined where the log is complete. */
function auditLack(connection: SqliteConnection, vault: AuditVault) {
  const deployment = readDeployment(connection)
  if (!deployment) return undefined
  const { identity, secretCheck } = deployment
  // From before there was a log. This check can only have been made with the secret.
  if (secretCheck === vault.checkBeforeAudit()) return { log: 'begin', identity } as const
  const head = runStepsIn(connection, readHead())
  return head && head.identity !== identity ? ({ log: 'restore', identity } as const) : undefined
}

/** Begins the log of an older database, and records that a backup was restored: a restore changes the identity of a database. */
export function initAuditLog(connection: SqliteConnection, { vault, clock, subject }: InitOptions) {
  if (!auditLack(connection, vault)) return
  connection
    .transaction(() => {
      const lack = auditLack(connection, vault)
      if (lack?.log === 'begin') beginLate(connection, lack.identity, vault)
      if (lack?.log === 'restore') {
        const event = { at: clock(), action: 'restore', actor: 'cli', subject } as const
        runStepsIn(connection, appendEvents([event], vault, lack.identity))
      }
    })
    .immediate()
}
