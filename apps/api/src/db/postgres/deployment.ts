import type { ClientBase } from 'pg'
import { beginAuditOn } from '../../audit/append-on-postgresql.ts'
import { createKeyVault, type KeyVault } from '../../crypto/key-vault.ts'
import { fits, SecretError } from '../../crypto/secret.ts'
import { newId } from '../../ids.ts'
import type { Deployment } from '../sqlite/deployment.ts'
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

/** Makes the row, unless another instance was faster. */
async function register(client: ClientBase, vault: KeyVault, now: Date) {
  await client.query('BEGIN')
  try {
    await takeWriteLock(client)
    const { rowCount } = await client.query(
      `INSERT INTO "Deployment" ("id", "identity", "secretCheck", "createdAt") VALUES (1, $1, $2, $3)
       ON CONFLICT ("id") DO NOTHING`,
      [newId(), vault.check(), now.toISOString()],
    )
    if (rowCount) await beginAuditOn(client, vault)
    await client.query('COMMIT')
  } catch (error) {
    await client.query('ROLLBACK')
    throw error
  }
}

/** What opens the keys, after a check that the database was made with this secret; an empty database is from now on. */
export async function openDeployment(client: ClientBase, secret: string, clock: () => Date) {
  const vault = createKeyVault(secret)
  if (!(await readDeployment(client))) await register(client, vault, clock())
  const deployment = await readDeployment(client)
  if (!deployment || !fits(vault, deployment.secretCheck))
    throw new SecretError(
      'SALEPROOF_SECRET is not the one that this database was made with: start with that one',
    )
  return { vault, identity: deployment.identity }
}
