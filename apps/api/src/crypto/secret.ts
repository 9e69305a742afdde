import { randomBytes } from 'node:crypto'
import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { errorCode } from '../error-code.ts'
import { giveToOwner, keepAs, publish, secretFile, syncToDisk } from '../files.ts'
import { newId } from '../ids.ts'
import { UserError } from '../user-error.ts'
import { createKeyVault, type KeyVault } from './key-vault.ts'

/** Where a rotation keeps the new secret until the database has it. */
export const nextSecretFile = (databaseFile: string) => `${databaseFile}.secret.next`

export function readSecret(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch (error) {
    const code = errorCode(error)
    if (code === 'ENOENT') return undefined
    throw new UserError(`the secret in ${file} cannot be read (${code}): check its permissions`)
  }
}

export const generateSecret = () => randomBytes(32).toString('base64url')

/**
 * Writes a secret to a new file; gives false where the file exists. It appears whole or not at all, and is on the disk before a key is
 * made with it.
 */
export function writeSecret(file: string, secret: string, databaseFile: string): boolean {
  const draft = `${file}.${newId()}`
  try {
    const descriptor = openSync(draft, 'wx', 0o600)
    try {
      writeSync(descriptor, `${secret}\n`)
      fsyncSync(descriptor)
    } finally {
      closeSync(descriptor)
    }
    giveToOwner(draft, databaseFile)
    return publish(draft, file)
  } catch (error) {
    throw new UserError(
      `the secret cannot be written to ${file} (${errorCode(error)}): make room on its disk, or check its permissions`,
    )
  } finally {
    rmSync(draft, { force: true })
  }
}

const keptInfix = '.before-rotation-'

/** The secrets that rotations have replaced. */
export function keptSecretFiles(databaseFile: string): string[] {
  const folder = dirname(databaseFile)
  const prefix = `${basename(secretFile(databaseFile))}${keptInfix}`
  return readdirSync(folder)
    .filter((name) => name.startsWith(prefix))
    .sort()
    .map((name) => join(folder, name))
}

/** Gives the current secret a second name, unless it has one. */
function keepSecret(databaseFile: string, now: Date): string | undefined {
  const file = secretFile(databaseFile)
  const current = readSecret(file)
  if (current === undefined) return undefined
  const known = keptSecretFiles(databaseFile).find((each) => readSecret(each) === current)
  if (known) return known
  const stamp = now.toISOString().replace(/\D/g, '').slice(0, 17)
  const kept = `${file}${keptInfix}${stamp}`
  const name = existsSync(kept) ? `${kept}-${newId()}` : kept
  keepAs(file, name)
  return name
}

/** Replaces the current secret with the next one, and keeps it under another name. Two processes may do this at once. */
export function promoteSecret(databaseFile: string, now: Date): string | undefined {
  const kept = keepSecret(databaseFile, now)
  syncToDisk(dirname(databaseFile))
  try {
    renameSync(nextSecretFile(databaseFile), secretFile(databaseFile))
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error
  }
  syncToDisk(dirname(databaseFile))
  return kept
}

export interface SecretOptions {
  databaseFile: string
  /** `SALEPROOF_SECRET`, where it is set. */
  given: string | undefined
}

/** The secret that a start would use, if there is one; a new one is not made, and the database is not read. */
export const findSecret = ({ databaseFile, given }: SecretOptions): string | undefined =>
  given ?? readSecret(secretFile(databaseFile))

/** Whether a database was made with the secret of a vault. */
export const matches = (vault: KeyVault, secretCheck: unknown) => secretCheck === vault.check()

export const secretMatches = (secret: string | undefined, secretCheck: unknown) =>
  secret !== undefined && matches(createKeyVault(secret), secretCheck)

/** The file with the secret that a database was made with, if it is beside it: the one in use, or one that a rotation kept. */
export const findSecretFile = (databaseFile: string, secretCheck: unknown) =>
  [secretFile(databaseFile), ...keptSecretFiles(databaseFile)].find((file) =>
    secretMatches(readSecret(file), secretCheck),
  )

/** The secret that a start would use with a database of this check: also the next one of an interrupted rotation. */
export function secretFor(options: SecretOptions, secretCheck: unknown): string | undefined {
  const current = findSecret(options)
  if (options.given !== undefined || secretMatches(current, secretCheck)) return current
  const next = readSecret(nextSecretFile(options.databaseFile))
  return secretMatches(next, secretCheck) ? next : current
}

/**
 * Finishes a rotation that was interrupted after the database had the new secret: the file gets it as well. A rotation that was
 * interrupted earlier has changed nothing. The caller holds the database.
 */
export function recoverRotation(
  { databaseFile, clock }: { databaseFile: string; clock: () => Date },
  secretCheck: unknown,
) {
  const next = nextSecretFile(databaseFile)
  if (!existsSync(next)) return
  if (secretMatches(readSecret(secretFile(databaseFile)), secretCheck)) return
  if (secretMatches(readSecret(next), secretCheck)) promoteSecret(databaseFile, clock())
}
