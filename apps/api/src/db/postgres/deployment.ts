import type { ClientBase } from 'pg'
import type { Deployment } from '../database.ts'
import { inTransaction } from './in-transaction.ts'
import { requirePrimary } from './primary.ts'
import type { Queryable } from './queryable.ts'
import { takeWriteLock } from './write-lock.ts'

/** The row of the deployment; undefined where there is none yet. */
export async function readDeployment(database: Queryable): Promise<Deployment | undefined> {
  const { rows } = await database.query('SELECT "identity", "secretCheck" FROM "Deployment" WHERE "id" = 1')
  return rows[0]
}

/** Another database than the one that was opened answers under the same address. */
class OtherDeployment extends Error {
  readonly code = 'OTHER_DEPLOYMENT'

  constructor() {
    super('this is not the database of the deployment')
    this.name = 'PostgresError'
  }
}

/** Refuses a database that is not that of the deployment: what it lacks is not unknown to us. A copy that follows is one of it. */
export async function requireCopy(database: Queryable, identity: string) {
  if ((await readDeployment(database))?.identity !== identity) throw new OtherDeployment()
}

/** Refuses every database but the one of the deployment that is written to. */
export async function requireDeployment(database: Queryable, identity: string) {
  await requireCopy(database, identity)
  await requirePrimary(database)
}

/** Inserts the row unless another instance was faster, with what belongs to it. */
export async function insertDeployment(
  client: ClientBase,
  { identity, secretCheck }: Deployment,
  now: Date,
  withIt: () => Promise<void>,
) {
  await inTransaction(client, 'BEGIN', async () => {
    await takeWriteLock(client)
    const { rowCount } = await client.query(
      `INSERT INTO "Deployment" ("id", "identity", "secretCheck", "createdAt") VALUES (1, $1, $2, $3)
       ON CONFLICT ("id") DO NOTHING`,
      [identity, secretCheck, now.toISOString()],
    )
    if (rowCount) await withIt()
  })
}
