import { existsSync } from 'node:fs'
import { beginAudit } from '../audit/init.ts'
import { deploymentIn } from '../db/sqlite/deployment.ts'
import { newId } from '../ids.ts'
import { createKeyVault, type KeyVault } from './key-vault.ts'
import { SecretError } from './secret-error.ts'
import {
  generateSecret,
  nextSecretFile,
  promoteSecret,
  readSecret,
  secretFile,
  writeSecret,
} from './secret-files.ts'

export { SecretError } from './secret-error.ts'

/** A start may wait for another process that starts at the same time. */
const startTimeoutMs = 5000

interface SecretOptions {
  databaseFile: string
  /** `SALEPROOF_SECRET`, where it is set. */
  given: string | undefined
  clock: () => Date
}

function makeSecret(databaseFile: string): string {
  const file = secretFile(databaseFile)
  writeSecret(file, generateSecret(), databaseFile)
  return readSecret(file)!
}

/** The secret that a start would use, if there is one: nothing is made, and nothing is known of the database yet. */
export const findSecret = ({ databaseFile, given }: Omit<SecretOptions, 'clock'>): string | undefined =>
  given ?? readSecret(secretFile(databaseFile))

/** Whether a database was made with the secret of a vault. */
export const fits = (vault: KeyVault, secretCheck: unknown) =>
  secretCheck === vault.check() || secretCheck === vault.checkBeforeAudit()

export const secretFits = (secret: string | undefined, secretCheck: unknown) =>
  secret !== undefined && fits(createKeyVault(secret), secretCheck)

/** The secret that a start would use with a database of this check: also the one of a rotation that was interrupted. */
export function secretFor(options: Omit<SecretOptions, 'clock'>, secretCheck: unknown): string | undefined {
  const atHand = findSecret(options)
  if (options.given !== undefined || secretFits(atHand, secretCheck)) return atHand
  const next = readSecret(nextSecretFile(options.databaseFile))
  return secretFits(next, secretCheck) ? next : atHand
}

/**
 * Ends a rotation that was interrupted after the database had the new secret: the file gets it as well. One that was interrupted before has
 * changed nothing. The caller holds the database.
 */
export function recoverRotation({ databaseFile, clock }: Omit<SecretOptions, 'given'>, secretCheck: unknown) {
  const next = nextSecretFile(databaseFile)
  if (!existsSync(next)) return
  if (secretFits(readSecret(secretFile(databaseFile)), secretCheck)) return
  if (secretFits(readSecret(next), secretCheck)) promoteSecret(databaseFile, clock())
}

/** The secret of a deployment, after a check that the database was made with it. */
export function loadSecret({ databaseFile, given, clock }: SecretOptions): string {
  const file = secretFile(databaseFile)
  const deployments = deploymentIn(databaseFile, { busyTimeoutMs: startTimeoutMs })
  const deployment = deployments.read()
  if (deployment && given === undefined) recoverRotation({ databaseFile, clock }, deployment.secretCheck)
  const known = findSecret({ databaseFile, given })
  if (known === undefined && deployment) {
    throw new SecretError(
      `the secret ${file} is missing, and without it no API key works: put it back, or set SALEPROOF_SECRET to it`,
    )
  }
  const secret = known ?? makeSecret(databaseFile)
  if (secret.length < 32)
    throw new SecretError(`the secret in ${file} is shorter than 32 characters: put the whole one back`)
  const vault = createKeyVault(secret)
  // Of two processes that start at once the first one's note stands.
  const stored =
    deployment ??
    deployments.register({ identity: newId(), secretCheck: vault.check() }, clock(), (database) =>
      beginAudit(database, vault),
    )
  if (!fits(vault, stored.secretCheck)) {
    const source = given === undefined ? `the secret in ${file}` : 'SALEPROOF_SECRET'
    throw new SecretError(`${source} is not the one that this database was made with: start with that one`)
  }
  return secret
}
