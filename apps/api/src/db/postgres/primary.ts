import { DatabaseError } from '../errors.ts'
import type { Queryable } from './queryable.ts'

/** Queries go to the primary alone: a standby may not know yet what was revoked or refunded. The code is that of a write on a standby. */
export const notPrimary = () => new DatabaseError('standby', '25006')

export async function requirePrimary(database: Queryable) {
  const { rows } = await database.query('SELECT pg_is_in_recovery() AS standby')
  if (rows[0].standby) throw notPrimary()
}
