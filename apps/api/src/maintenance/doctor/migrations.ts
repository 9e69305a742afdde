import { MigrationError } from '../../db/migration-error.ts'
import { type Finding, findingsOf } from './finding.ts'

interface Status {
  pending: readonly string[]
}

/** Whether the database has the migrations of this build. */
export async function migrationsFinding(status: () => Status | Promise<Status>): Promise<Finding[]> {
  const { problem, all } = findingsOf('migrations')
  try {
    const { pending } = await status()
    if (pending.length)
      problem(`the database lacks ${pending.join(', ')}`, 'run "saleproof migrate", or start the service')
  } catch (error) {
    if (!(error instanceof MigrationError)) throw error
    const [finding, ...advice] = error.message.split(': ')
    problem(finding!, advice.join(': ') || 'look at the database')
  }
  return all('all are applied')
}
