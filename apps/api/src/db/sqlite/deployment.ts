import type { Deployment } from '../database.ts'
import type { SqliteConnection } from './connection.ts'

/** The row of the deployment, read without Prisma: a start should not wait for that to load. */
export const readDeployment = (connection: SqliteConnection) =>
  connection.prepare<[], Deployment>('SELECT identity, secretCheck FROM main.Deployment WHERE id = 1').get()

/** Inserts the row unless another process was faster. */
export function insertDeployment(
  connection: SqliteConnection,
  { identity, secretCheck }: Deployment,
  now: Date,
) {
  connection
    .prepare(
      `INSERT INTO Deployment (id, identity, secretCheck, createdAt) VALUES (1, ?, ?, ?)
       ON CONFLICT (id) DO NOTHING`,
    )
    .run(identity, secretCheck, now.getTime())
}
