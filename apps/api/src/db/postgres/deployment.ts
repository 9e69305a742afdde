import type { ClientBase } from 'pg'
import type { Deployment } from '../database.ts'
import { DatabaseError } from '../errors.ts'
import { type Sql, transactOn } from '../sql.ts'
import { requirePrimary } from './primary.ts'
import type { Queryable } from './queryable.ts'
import { sqlOn } from './row-types.ts'
import { writeLock } from './transactions.ts'

/** The row of the deployment; undefined where there is none yet. */
export async function readDeployment(database: Queryable): Promise<Deployment | undefined> {
  const { rows } = await database.query('SELECT "identity", "secretCheck" FROM "Deployment" WHERE "id" = 1')
  return rows[0]
}

/** Refuses every database but the primary of the deployment. */
export async function requireDeployment(database: Queryable, identity: string) {
  if ((await readDeployment(database))?.identity !== identity)
    throw new DatabaseError('other_deployment', 'OTHER_DEPLOYMENT')
  await requirePrimary(database)
}

/** Inserts the row unless another instance was faster. */
export async function insertDeployment(client: ClientBase, { identity, secretCheck }: Deployment, now: Date) {
  async function insert(sql: Sql) {
    await sql.run(writeLock)
    await sql.run(
      `INSERT INTO "Deployment" ("id", "identity", "secretCheck", "createdAt") VALUES (1, $1, $2, $3)
       ON CONFLICT ("id") DO NOTHING`,
      identity,
      secretCheck,
      now,
    )
  }
  await transactOn(sqlOn(client), insert, 'BEGIN')
}
