import { UserError } from '../../user-error.ts'
import type { SqliteConnection } from './connection.ts'

export const transferredFinding = 'this database was transferred to PostgreSQL, and lacks everything since'
export const transferredAdvice = 'set DATABASE_URL to that one'

export const isTransferred = (connection: SqliteConnection) =>
  connection.prepare('SELECT 1 FROM "Deployment" WHERE "transferredTo" IS NOT NULL').get() !== undefined

/** Two databases in use would each miss the sales, refunds and revocations of the other. */
export function requireInUse(connection: SqliteConnection) {
  if (isTransferred(connection)) throw new UserError(`${transferredFinding}: ${transferredAdvice}`)
}

export const markTransferred = (connection: SqliteConnection) =>
  connection.exec(`UPDATE "Deployment" SET "transferredTo" = 'postgresql'`)
