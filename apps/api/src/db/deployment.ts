import type { Deployment } from './database.ts'
import type { Sql } from './sql.ts'

export const selectDeployment = 'SELECT "identity", "secretCheck" FROM "Deployment" WHERE "id" = 1'

/** The row of the deployment, read without Prisma: a start should not wait for that to load. Undefined where there is none yet. */
export const readDeployment = async ({ query }: Sql): Promise<Deployment | undefined> =>
  (await query<Deployment>(selectDeployment))[0]

/** Inserts the row unless another process was faster. */
export const insertDeployment = ({ run }: Sql, { identity, secretCheck }: Deployment, now: Date) =>
  run(
    `INSERT INTO "Deployment" ("id", "identity", "secretCheck", "createdAt") VALUES (1, $1, $2, $3)
     ON CONFLICT ("id") DO NOTHING`,
    identity,
    secretCheck,
    now,
  )
