import { UserError } from '../../user-error.ts'
import type { Sql } from '../sql.ts'

export const transferredFinding = 'this database was transferred to PostgreSQL, and lacks everything since'
export const transferredAdvice = 'set DATABASE_URL to that one'

export const isTransferred = async ({ query }: Sql) =>
  (await query('SELECT 1 FROM "Deployment" WHERE "transferredTo" IS NOT NULL')).length > 0

/** Two databases in use would each miss the sales, refunds and revocations of the other. */
export async function requireInUse(sql: Sql) {
  if (await isTransferred(sql)) throw new UserError(`${transferredFinding}: ${transferredAdvice}`)
}

export const markTransferred = ({ run }: Sql) => run(`UPDATE "Deployment" SET "transferredTo" = 'postgresql'`)
