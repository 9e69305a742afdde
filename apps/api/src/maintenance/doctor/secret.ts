import { existsSync, statSync } from 'node:fs'
import { createKeyVault } from '../../crypto/key-vault.ts'
import {
  findSecret,
  findSecretFile,
  matches,
  nextSecretFile,
  type SecretOptions,
  secretFor,
} from '../../crypto/secret.ts'
import { readDeployment } from '../../db/deployment.ts'
import { withFile } from '../../db/sqlite/file.ts'
import { secretFile } from '../../files.ts'
import type { EncryptedKey } from '../secret/reencrypt.ts'
import { checkKeys, selectKeys } from './deployment.ts'
import type { Report } from './report.ts'

function checkRotation(check: SecretOptions, secret: string | undefined, { warning }: Report) {
  const next = nextSecretFile(check.databaseFile)
  if (check.given !== undefined || !existsSync(next)) return
  if (secret === findSecret(check))
    warning(`${next} was left by a rotation that changed nothing`, 'rotate again, or remove it')
  else warning(`the rotation to ${next} was interrupted`, 'run any command, or start: that ends it')
}

/** What to do where the secret is missing or another one. */
function adviceFor({ databaseFile, given }: SecretOptions, stored: string | undefined): string {
  const file = secretFile(databaseFile)
  const right = findSecretFile(databaseFile, stored)
  if (right === file) return `unset SALEPROOF_SECRET: the one in ${file} is the right one`
  if (right !== undefined && given === undefined) return `run: cp ${right} ${file}`
  if (right !== undefined) return `set SALEPROOF_SECRET to the content of ${right}`
  return `put the copy that you kept apart from the backups back into ${file}, or set SALEPROOF_SECRET to it: no key works without it`
}

/** Whether the database was made with the available secret, and every key can be decrypted. Shows nothing of the secret. */
export async function checkSecret(check: SecretOptions, report: Report): Promise<string> {
  const { databaseFile, given } = check
  const { problem, warning } = report
  const file = secretFile(databaseFile)
  const source = given === undefined ? `the secret in ${file}` : 'SALEPROOF_SECRET'
  // SQLite deletes the log of an empty file.
  const stored =
    existsSync(databaseFile) && statSync(databaseFile).size > 0
      ? (await withFile(databaseFile, readDeployment, { readonly: true }))?.secretCheck
      : undefined
  const secret = secretFor(check, stored)
  checkRotation(check, secret, report)
  if (secret === undefined) {
    if (stored !== undefined) problem(`the secret ${file} is missing`, adviceFor(check, stored))
    return 'there is none yet: the first start makes it'
  }
  if (secret.length < 32) problem(`${source} is shorter than 32 characters`, 'put the whole one back')
  const vault = createKeyVault(secret)
  if (stored !== undefined && !matches(vault, stored))
    problem(`${source} is not the one that this database was made with`, adviceFor(check, stored))
  else if (stored !== undefined) {
    const keys = await withFile(databaseFile, ({ query }) => query<EncryptedKey>(selectKeys), {
      readonly: true,
    })
    checkKeys(keys, vault, report)
  }
  if (given !== undefined && existsSync(file))
    warning(`SALEPROOF_SECRET is used, and ${file} is there as well`, 'keep one of them')
  return stored === undefined ? `${source} is there` : `${source} is the one that this database was made with`
}
