import { createKeyVault } from '../../crypto/key-vault.ts'
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

/** The secret of a deployment, after a check that the database was made with it. The first start makes both. */
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
    const vault = createKeyVault(secret)
    if (!deployment) await insertDeployment(sql, { identity: newId(), secretCheck: vault.check() }, clock())
    // The row of the process that was first.
    if (!matches(vault, (await readDeployment(sql))?.secretCheck)) {
      const source = given === undefined ? `the secret in ${file}` : 'SALEPROOF_SECRET'
      throw new UserError(`${source} is not the one that this database was made with: start with that one`)
    }
    return secret
  })
}
