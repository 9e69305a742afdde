import type { KeyVault } from '../crypto/key-vault.ts'
import type { SqliteConnection } from '../db/sqlite/connection.ts'
import { readDeployment } from '../db/sqlite/deployment.ts'
import { appendAuditTo, noHead, readHead, readHome, writeHead } from './append-to-file.ts'
import { type AuditSealer, sealHead } from './chain.ts'

type AuditVault = Pick<KeyVault, 'auditKey' | 'check' | 'checkBeforeAudit'>

/** Seals the empty log of a deployment. The caller holds the transaction that inserts the deployment. */
export function beginAudit(connection: SqliteConnection, sealer: AuditSealer) {
  const deployment = readDeployment(connection)
  const home = readHome(connection)
  if (!deployment || !home) return
  const head = { ...noHead, identity: deployment.identity }
  writeHead(connection, { ...head, seal: sealHead(head, home, sealer) })
}

function beginLate(connection: SqliteConnection, vault: AuditVault) {
  const isEmpty = connection.prepare('SELECT 1 FROM AuditEntry LIMIT 1').get() === undefined
  if (isEmpty) beginAudit(connection, vault)
  connection.prepare('UPDATE Deployment SET secretCheck = ? WHERE id = 1').run(vault.check())
}

interface InitOptions {
  vault: AuditVault
  clock: () => Date
  /** Which backup was restored, where that is known. */
  subject?: string
}

/** What the log lacks. */
function auditLogState(
  connection: SqliteConnection,
  vault: AuditVault,
): 'complete' | 'no log' | 'no restore' {
  const deployment = readDeployment(connection)
  if (!deployment) return 'complete'
  // From before there was a log. This check can only have been made with the secret.
  if (deployment.secretCheck === vault.checkBeforeAudit()) return 'no log'
  const head = readHead(connection)
  return head && head.identity !== deployment.identity ? 'no restore' : 'complete'
}

/** Begins the log of an older database, and records that a backup was restored: a restore changes the identity of a database. */
export function initAuditLog(connection: SqliteConnection, { vault, clock, subject }: InitOptions) {
  if (auditLogState(connection, vault) === 'complete') return
  connection
    .transaction(() => {
      const state = auditLogState(connection, vault)
      if (state === 'no log') beginLate(connection, vault)
      if (state === 'no restore')
        appendAuditTo(connection, [{ at: clock(), action: 'restore', actor: 'cli', subject }], vault, {
          identity: readDeployment(connection)?.identity,
        })
    })
    .immediate()
}
