import { createKeyVault, type KeyVault } from '../../crypto/key-vault.ts'
import { type SecretOptions, secretFor } from '../../crypto/secret.ts'
import { sqliteDateTime } from '../../records/sqlite-datetime.ts'
import type { Deployment } from '../database.ts'
import type { SqliteConnection } from './connection.ts'

/** The row of the deployment, read without Prisma: a start should not wait for that to load. */
export const readDeployment = (connection: SqliteConnection) =>
  connection.prepare<[], Deployment>('SELECT identity, secretCheck FROM main.Deployment WHERE id = 1').get()

/** Inserts the row unless another process was faster, with what belongs to it. */
export function insertDeployment(
  connection: SqliteConnection,
  { identity, secretCheck }: Deployment,
  now: Date,
  withIt: () => void,
) {
  const insert = connection.prepare(
    `INSERT INTO Deployment (id, identity, secretCheck, createdAt) VALUES (1, ?, ?, ?)
     ON CONFLICT (id) DO NOTHING`,
  )
  connection
    .transaction(() => {
      if (insert.run(identity, secretCheck, sqliteDateTime(now)).changes) withIt()
    })
    .immediate()
}

/** The vault of the secret at hand, if the database was made with that; undefined for one that the next start brings up to date. */
export function currentVault(connection: SqliteConnection, options: SecretOptions): KeyVault | undefined {
  const secretCheck = readDeployment(connection)?.secretCheck
  const secret = secretFor(options, secretCheck)
  const vault = secret === undefined ? undefined : createKeyVault(secret)
  return vault?.check() === secretCheck ? vault : undefined
}
