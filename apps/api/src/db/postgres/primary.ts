import type { ClientBase, Pool } from 'pg'
import { readDeployment } from '../deployment.ts'
import { DatabaseError } from '../errors.ts'
import { sqlOn } from './row-types.ts'

/** Whatever takes a statement: one connection, or a pool of them. */
export type Queryable = Pick<Pool | ClientBase, 'query'>

/** Queries go to the primary alone: a standby may not know yet what was revoked or refunded. The code is that of a write on a standby. */
export const notPrimary = () => new DatabaseError('standby', '25006')

export async function requirePrimary(database: Queryable) {
  const { rows } = await database.query('SELECT pg_is_in_recovery() AS standby')
  if (rows[0].standby) throw notPrimary()
}

/** Refuses every database but the primary of the deployment. */
export async function requireDeployment(database: Queryable, identity: string) {
  if ((await readDeployment(sqlOn(database)))?.identity !== identity)
    throw new DatabaseError('other_deployment', 'OTHER_DEPLOYMENT')
  await requirePrimary(database)
}
