import { randomBytes } from 'node:crypto'
import { closeSync, fsyncSync, linkSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import { beginAudit } from '../audit/begin.ts'
import { deploymentIn } from '../database/deployment.ts'
import { newId } from '../domain/id.ts'
import { createKeyVault, type KeyVault } from './key-vault.ts'

/** The service has not the secret that its database was made with. The message says what to do. */
export class SecretError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'SecretError'
  }
}

/** A start may wait for another process that starts at the same time. */
const startTimeoutMs = 5000

interface SecretOptions {
  databaseFile: string
  /** `SALEPROOF_SECRET`, where it is set. */
  given: string | undefined
  clock: () => Date
}

const errorCode = (error: unknown) => (error as { code?: string }).code

function readSecret(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined
    throw new SecretError(`the secret in ${file} cannot be read (${errorCode(error)}): check its permissions`)
  }
}

function syncFolder(file: string) {
  const folder = openSync(dirname(file), 'r')
  fsyncSync(folder)
  closeSync(folder)
}

/**
 * Makes the file of the secret, unless another process was faster, and gives what is in it. A link appears whole or not at all: nobody
 * ever reads half a secret. It is on the disk before a key is made with it.
 */
function makeSecret(file: string): string {
  const draft = `${file}.${newId()}`
  const descriptor = openSync(draft, 'wx', 0o600)
  try {
    writeSync(descriptor, `${randomBytes(32).toString('base64url')}\n`)
    fsyncSync(descriptor)
    closeSync(descriptor)
    linkSync(draft, file)
  } catch (error) {
    if (errorCode(error) !== 'EEXIST')
      throw new SecretError(`the secret cannot be written to ${file} (${errorCode(error)})`)
  } finally {
    rmSync(draft, { force: true })
  }
  syncFolder(file)
  return readSecret(file)!
}

/** The secret that a start would use, if there is one: nothing is made, and nothing is known of the database yet. */
export const secretAtHand = ({ databaseFile, given }: Omit<SecretOptions, 'clock'>): string | undefined =>
  given ?? readSecret(`${databaseFile}.secret`)

/** Whether a database was made with the secret of a vault. */
export const fits = (vault: KeyVault, secretCheck: unknown) =>
  secretCheck === vault.check() || secretCheck === vault.checkBeforeAudit()

/** The secret of a deployment, after a check that the database was made with it. */
export function loadSecret({ databaseFile, given, clock }: SecretOptions): string {
  const file = `${databaseFile}.secret`
  const deployments = deploymentIn(databaseFile, { busyTimeoutMs: startTimeoutMs })
  const deployment = deployments.read()
  const known = secretAtHand({ databaseFile, given })
  if (known === undefined && deployment) {
    throw new SecretError(
      `the secret ${file} is missing, and without it no API key works: put it back, or set SALEPROOF_SECRET to it`,
    )
  }
  const secret = known ?? makeSecret(file)
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
