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
import { giveToOwner } from '../db/sqlite/chown.ts'
import { newId } from '../ids.ts'
import { keepAs, publish, syncToDisk } from '../maintenance/backup/durable.ts'
import { SecretError } from './secret-error.ts'

/** Where the secret of a database is, unless the operator keeps it. */
export const secretFile = (databaseFile: string) => `${databaseFile}.secret`

/** Where a rotation has the new secret until the database has it. */
export const nextSecretFile = (databaseFile: string) => `${databaseFile}.secret.next`

const errorCode = (error: unknown) => (error as { code?: string }).code

export function readSecret(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined
    throw new SecretError(`the secret in ${file} cannot be read (${errorCode(error)}): check its permissions`)
  }
}

export const generateSecret = () => randomBytes(32).toString('base64url')

/**
 * Writes a secret to a file that is not there yet; false where it is. It appears whole or not at all: nobody ever reads half a secret. It
 * is on the disk before a key is made with it.
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
    throw new SecretError(`the secret cannot be written to ${file} (${errorCode(error)})`)
  } finally {
    rmSync(draft, { force: true })
  }
}

const keptInfix = '.before-rotation-'

/** The secrets that rotations have put away. */
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

/** Puts the next secret in the place of the one before, which is kept under another name. Done by two at once it is done once. */
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
