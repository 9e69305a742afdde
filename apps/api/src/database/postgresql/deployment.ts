import type { ClientBase, Pool } from 'pg'
import type { Deployment } from '../deployment.ts'

type Queryable = Pick<Pool | ClientBase, 'query'>

/** The row of the deployment; undefined where there is none yet. */
export async function readDeployment(database: Queryable): Promise<Deployment | undefined> {
  const { rows } = await database.query('SELECT "identity", "secretCheck" FROM "Deployment" WHERE "id" = 1')
  return rows[0]
}

/** Makes the row, unless another instance was faster, and gives the one that stands. */
export async function registerDeployment(
  database: Queryable,
  { identity, secretCheck }: Deployment,
  now: Date,
) {
  await database.query(
    `INSERT INTO "Deployment" ("id", "identity", "secretCheck", "createdAt") VALUES (1, $1, $2, $3)
     ON CONFLICT ("id") DO NOTHING`,
    [identity, secretCheck, now.toISOString()],
  )
  return (await readDeployment(database))!
}
