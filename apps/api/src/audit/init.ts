import Sqlite, { type Database } from 'better-sqlite3'
import type { KeyVault } from '../crypto/key-vault.ts'
import { appendAuditTo, noHead, readHead, readHome, writeHead } from './append-to-file.ts'
import { type AuditSealer, sealHead } from './chain.ts'

type AuditVault = Pick<KeyVault, 'auditKey' | 'check' | 'checkBeforeAudit'>

/** A start may wait for another process that starts at the same time. */
const startTimeoutMs = 5000

interface Stored {
  identity: string
  secretCheck: string
}

const readDeployment = (database: Database) =>
  database.prepare<[], Stored>('SELECT identity, secretCheck FROM main.Deployment WHERE id = 1').get()

/** Seals the empty log of a deployment. The caller holds the transaction that makes the deployment. */
export function beginAudit(database: Database, sealer: AuditSealer) {
  const [deployment, home] = [readDeployment(database), readHome(database)]
  if (!deployment || !home) return
  const head = { ...noHead, identity: deployment.identity }
  writeHead(database, { ...head, seal: sealHead(head, home, sealer) })
}

/** A database from before there was a log. What its check says of it can only have been made with the secret. */
const isBeforeAudit = ({ secretCheck }: Stored, vault: AuditVault) => secretCheck === vault.checkBeforeAudit()

function beginLate(database: Database, vault: AuditVault) {
  const isEmpty = database.prepare('SELECT 1 FROM AuditEntry LIMIT 1').get() === undefined
  if (isEmpty) beginAudit(database, vault)
  database.prepare('UPDATE Deployment SET secretCheck = ? WHERE id = 1').run(vault.check())
}

interface Restore {
  vault: AuditVault
  clock: () => Date
  /** Which backup was restored, where that is known. */
  subject?: string
}

/** What the log lacks, if anything, of what was done to the database by who had not the secret or an older schema. */
function auditLogState(database: Database, vault: AuditVault): 'nothing' | 'beginning' | 'restore' {
  const deployment = readDeployment(database)
  if (!deployment) return 'nothing'
  if (isBeforeAudit(deployment, vault)) return 'beginning'
  const head = readHead(database)
  return head && head.identity !== deployment.identity ? 'restore' : 'nothing'
}

/** Begins the log of an older database, and notes that a backup was restored: that gives a database another identity. */
export function initAuditLog(database: Database, { vault, clock, subject }: Restore) {
  if (auditLogState(database, vault) === 'nothing') return
  database
    .transaction(() => {
      const lack = auditLogState(database, vault)
      if (lack === 'beginning') beginLate(database, vault)
      if (lack !== 'restore') return
      const { identity } = readDeployment(database)!
      const event = { at: clock(), action: 'restore' as const, actor: 'cli', subject }
      appendAuditTo(database, [event], vault, { identity })
    })
    .immediate()
}

export function initAuditLogFile(file: string, options: Restore) {
  const database = new Sqlite(file, { fileMustExist: true, timeout: startTimeoutMs })
  try {
    database.pragma('synchronous = FULL')
    initAuditLog(database, options)
  } finally {
    database.close()
  }
}
