import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Command } from 'commander'
import { databaseKind, databaseFile as fileOf, postgresMigrationsFolder } from '../db/location.ts'
import { errorCode } from '../error-code.ts'
import { secretFile } from '../files.ts'
import { rotateSecret } from '../maintenance/secret/rotate-secret.ts'
import { migrationsFolder, readConfig } from './database.ts'
import { CommandError, readAll, say, type Terminal } from './terminal.ts'

const instructions = `SALEPROOF_SECRET is set, so you have to supply the new secret. While nothing serves:
1. create one, such as: openssl rand -base64 48 > FILE; keep the old one for the backups that were made with it
2. run saleproof secret rotate --to FILE, with SALEPROOF_SECRET unchanged
3. set SALEPROOF_SECRET to the new secret, and start`

const maxLength = 4096

async function readBytes(terminal: Terminal, file: string): Promise<Buffer | undefined> {
  try {
    if (file === '-') return await readAll(terminal.stdin, maxLength * 4)
    return readFileSync(resolve(terminal.cwd, file))
  } catch (error) {
    throw new CommandError(`the new secret cannot be read from ${file} (${errorCode(error) || 'unknown'})`)
  }
}

async function readSecret(terminal: Terminal, file: string): Promise<string> {
  const text = (await readBytes(terminal, file))?.toString('utf8').trim() ?? ''
  // The secret has to fit into an environment variable and a line of a file.
  if (text.length < 32 || text.length > maxLength || /[\p{Cc}\ufffd]/u.test(text))
    throw new CommandError('the new secret must be 32 to 4096 characters in one line', 2)
  return text
}

const notCleaned = {
  postgresql:
    'warning: the server’s files still contain the old ciphertexts: the owner of the tables has to run VACUUM FULL "ApiKey", "SigningKey"',
  sqlite: 'warning: no space to clean the database file: free some and run the command again',
}

async function rotate(terminal: Terminal, { to }: { to?: string }) {
  const { databaseUrl, directUrl, secret: given } = readConfig(terminal)
  if (given !== undefined && to === undefined) throw new CommandError(instructions, 2)
  const next = to === undefined ? undefined : await readSecret(terminal, to)
  const kind = databaseKind(databaseUrl)
  const { clock, cwd } = terminal
  const databaseFile = fileOf(databaseUrl, cwd)
  const folder = migrationsFolder(terminal)
  async function run() {
    // With PostgreSQL both are given.
    if (kind === 'sqlite' || given === undefined || next === undefined)
      return rotateSecret({ databaseFile, given, next, clock, migrations: folder })
    const { rotateSecretOn } = await import('../maintenance/secret/postgres/rotate-secret.ts')
    const migrations = postgresMigrationsFolder(folder)
    return rotateSecretOn({ databaseUrl: directUrl ?? databaseUrl, given, next, clock, migrations })
  }
  const { keys, kept, cleaned, already } = await run()
  say(
    terminal,
    already
      ? 'the database already uses the new secret: set SALEPROOF_SECRET to it'
      : `${keys} keys are encrypted with the new secret, and all of them keep working`,
  )
  if (!cleaned) say(terminal, notCleaned[kind])
  if (already) return
  if (given !== undefined)
    return say(terminal, 'set SALEPROOF_SECRET to the new secret now: the old one no longer works')
  say(terminal, `the new secret is in ${secretFile(databaseFile)}: keep a copy somewhere else`)
  if (kept) say(terminal, `the old secret is in ${kept}: older backups and copies need it`)
}

export function addSecret(program: Command, terminal: Terminal) {
  program
    .command('secret')
    .description('manage the secret that encrypts the keys')
    .command('rotate')
    .description('encrypt all keys with a new secret, while nothing serves; the keys keep working')
    .option('--to <file>', 'the file with the new secret, or - for standard input; default: generate one')
    .action((options: { to?: string }) => rotate(terminal, options))
}
