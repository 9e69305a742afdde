import type { Queryable } from './queryable.ts'

/** What is asked for goes to the primary alone: a standby does not know yet what was revoked or refunded a moment ago. */
export class NotPrimary extends Error {
  /** Read-only transaction: what PostgreSQL itself says to who writes on a standby. */
  readonly code = '25006'

  constructor() {
    super('this server is a standby')
    this.name = 'PostgresError'
  }
}

/** Refuses a standby. */
export async function requirePrimary(database: Queryable) {
  const { rows } = await database.query('SELECT pg_is_in_recovery() AS standby')
  if (rows[0].standby) throw new NotPrimary()
}
