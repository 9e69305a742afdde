import { readDeployment } from './deployment.ts'
import { DatabaseError } from './errors.ts'
import {
  appliedMigrations,
  type HistoryDialect,
  type Migration,
  MigrationError,
} from './migration-history.ts'
import type { Sql } from './sql.ts'

/** The state of each part of the database, in a word that names no path, host or user. */
export interface Health {
  database: 'ok' | 'missing' | 'replaced' | 'damaged' | 'locked' | 'failed'
  migrations: 'ok' | 'pending' | 'newer' | 'edited' | 'unfinished' | 'unknown'
  secret: 'ok' | 'wrong' | 'unknown'
}

type State = 'ok' | 'locked' | 'failed'

/** Whether each operation gets responses from the database, by its name. */
export type OperationStates = Readonly<Record<string, State>>

/** Asks each operation, by the connections that respond to requests. */
export type AskOperations = () => Promise<OperationStates>

export interface Readiness {
  checks: Health
  /** Undefined where operations read the file that the checks are of. */
  operations?: OperationStates | undefined
}

/** How long a readiness probe waits for what it asks. */
export const probeWithinMs = 1500

/** What an error says of what was asked. */
export const failureState = (error: unknown): 'locked' | 'failed' =>
  error instanceof DatabaseError && (error.kind === 'busy' || error.kind === 'timeout') ? 'locked' : 'failed'

/** The state of a database by those of the operations. */
export const worstState = (operations: OperationStates): State =>
  (['failed', 'locked'] as const).find((state) => Object.values(operations).includes(state)) ?? 'ok'

export const unknownHealth = (database: Health['database']): Health => ({
  database,
  migrations: 'unknown',
  secret: 'unknown',
})

/** What the database of this service has to agree with. */
export interface Expected {
  known: readonly Migration[]
  /** What the database holds that was made with its secret. */
  secretCheck: string
}

/** The health of a database by its row of the deployment and its migrations. */
export async function readHealth(
  sql: Sql,
  { known, secretCheck }: Expected,
  dialect: HistoryDialect,
): Promise<Health> {
  const deployment = await readDeployment(sql)
  if (!deployment) return unknownHealth('failed')
  const secret = deployment.secretCheck === secretCheck ? 'ok' : 'wrong'
  try {
    const applied = await appliedMigrations(sql, known, dialect)
    return { database: 'ok', migrations: applied.length < known.length ? 'pending' : 'ok', secret }
  } catch (error) {
    if (!(error instanceof MigrationError)) throw error
    return { database: 'ok', migrations: error.state ?? 'unknown', secret }
  }
}
