import { createKeyVault, type KeyVault } from '../../crypto/key-vault.ts'
import {
  findSecret,
  generateSecret,
  matches,
  readSecret,
  recoverRotation,
  type SecretOptions,
  writeSecret,
} from '../../crypto/secret.ts'
import { insertDeployment, readDeployment } from '../../db/deployment.ts'
import type { Sql } from '../../db/sql.ts'
import { withFile } from '../../db/sqlite/file.ts'
import { secretFile } from '../../files.ts'
import { newId } from '../../ids.ts'
import { UserError } from '../../user-error.ts'

function makeSecret(databaseFile: string): string {
  const file = secretFile(databaseFile)
  const secret = generateSecret()
  // When two processes start at once, the secret of the first one stands.
  return writeSecret(file, secret, databaseFile) ? secret : (readSecret(file) ?? secret)
}

/** Gives the identity of a deployment, after a check that it was made with the secret of a vault. The first start makes its row. */
export async function openDeployment(sql: Sql, vault: KeyVault, now: Date, source = 'SALEPROOF_SECRET') {
  if (!(await readDeployment(sql)))
    await insertDeployment(sql, { identity: newId(), secretCheck: vault.check() }, now)
  // The row of the process that was first.
  const deployment = await readDeployment(sql)
  if (!deployment || !matches(vault, deployment.secretCheck))
    throw new UserError(`${source} is not the one that this database was made with: start with that one`)
  return deployment.identity
}

/** The secret of a deployment in a file, after a check that the database was made with it. The first start makes both. */
export function loadSecret(options: SecretOptions & { clock: () => Date }): Promise<string> {
  const { databaseFile, given, clock } = options
  return withFile(databaseFile, async (sql) => {
    await sql.run('PRAGMA synchronous = FULL')
    const file = secretFile(databaseFile)
    const deployment = await readDeployment(sql)
    if (deployment && given === undefined) recoverRotation({ databaseFile, clock }, deployment.secretCheck)
    const known = findSecret({ databaseFile, given })
    if (known === undefined && deployment)
      throw new UserError(
        `the secret ${file} is missing, and without it no API key works: put it back, or set SALEPROOF_SECRET to it`,
      )
    const secret = known ?? makeSecret(databaseFile)
    if (secret.length < 32)
      throw new UserError(`the secret in ${file} is shorter than 32 characters: put the whole one back`)
    const source = given === undefined ? `the secret in ${file}` : undefined
    await openDeployment(sql, createKeyVault(secret), clock(), source)
    return secret
  })
}
