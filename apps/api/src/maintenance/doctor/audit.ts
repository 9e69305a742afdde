import { verifyAuditIn } from '../../audit/read.ts'
import { createKeyVault } from '../../crypto/key-vault.ts'
import { secretFor } from '../../crypto/secret.ts'
import { readDeployment } from '../../db/sqlite/deployment.ts'
import { openForReading } from './database.ts'
import { type Finding, findingsOf } from './finding.ts'

interface AuditCheck {
  databaseFile: string
  given: string | undefined
}

/** Whether anybody has tampered with the audit log. Nothing where that cannot be known yet: the other checks say why. */
export function checkAudit({ databaseFile, given }: AuditCheck): Finding[] {
  return openForReading(databaseFile, (connection) => {
    const secretCheck = readDeployment(connection)?.secretCheck
    const secret = secretFor({ databaseFile, given }, secretCheck)
    if (secret === undefined) return []
    const vault = createKeyVault(secret)
    // Another secret, or a database that the next start brings up to date.
    if (secretCheck !== vault.check()) return []
    const { problem: wrong, last } = verifyAuditIn(connection, vault)
    const { problem, all } = findingsOf('audit')
    if (wrong)
      problem(
        `the audit log is broken: ${wrong}`,
        'find out who could write to the database; a backup from before holds the log as it was',
      )
    return all(`the audit log is whole: ${last.number} entries`)
  })
}
