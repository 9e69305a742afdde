import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Command } from 'commander'
import { secretFile } from '../crypto/secret.ts'
import { databaseFile as fileOf, kindOf } from '../db/location.ts'
import { postgresMigrationsFolder } from '../db/postgres/migrations-folder.ts'
import { rotateSecret } from '../maintenance/secret/rotate-secret.ts'
import { configOf, migrationsFolder } from './database.ts'
import { CommandError, say, type Terminal } from './terminal.ts'

const howToGiveIt = `SALEPROOF_SECRET is set, so that the new secret has to come from you. While nothing serves:
1. make one, such as: openssl rand -base64 48 > FILE; keep the one before for the backups that were made with it
2. saleproof secret rotate --to FILE, with SALEPROOF_SECRET as it is now
3. set SALEPROOF_SECRET to the new one, and start`

const largestSecret = 4096

async function readAll(source: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  for await (const chunk of source) chunks.push(chunk)
  return Buffer.concat(chunks)
}

async function readNew(terminal: Terminal, file: string): Promise<string> {
  const bytes = file === '-' ? await readAll(terminal.stdin) : readFileSync(resolve(terminal.cwd, file))
  const text = bytes.toString('utf8').trim()
  // What can be neither a variable nor a line of a file is no secret that could be set again.
  if (text.length < 32 || text.length > largestSecret || /[\p{Cc}\ufffd]/u.test(text))
    throw new CommandError('the new secret takes 32 to 4096 characters in one line', 2)
  return text
}

async function readOrExplain(terminal: Terminal, file: string): Promise<string> {
  try {
    return await readNew(terminal, file)
  } catch (error) {
    if (error instanceof CommandError) throw error
    const { code = 'unknown' } = error as { code?: string }
    throw new CommandError(`the new secret cannot be read from ${file} (${code})`)
  }
}

const already = 'the database has the new secret already: set SALEPROOF_SECRET to it'
const sealed = (keys: number) => `${keys} keys are sealed with the new secret; every one works as before`
const setIt = 'set SALEPROOF_SECRET to the new one now: the one before is refused'

interface OnServer {
  databaseUrl: string
  given: string
  next: string
}

async function rotateOnServer(terminal: Terminal, given: OnServer) {
  const { rotateSecretOn } = await import('../maintenance/secret/postgres/rotate-secret.ts')
  const migrations = postgresMigrationsFolder(migrationsFolder(terminal))
  const rotated = await rotateSecretOn({ ...given, migrations, clock: terminal.clock })
  say(terminal, rotated.already ? already : sealed(rotated.keys))
  if (!rotated.cleaned)
    say(
      terminal,
      'warning: what was sealed before is in the files of the server still: the owner of the tables has to run VACUUM FULL "ApiKey"',
    )
  if (!rotated.already) say(terminal, setIt)
}

async function rotate(terminal: Terminal, { to }: { to?: string }) {
  const { databaseUrl, directUrl, secret: given } = configOf(terminal)
  if (given !== undefined && to === undefined) throw new CommandError(howToGiveIt, 2)
  const next = to === undefined ? undefined : await readOrExplain(terminal, to)
  if (kindOf(databaseUrl) === 'postgresql' && given !== undefined && next !== undefined)
    return rotateOnServer(terminal, { databaseUrl: directUrl ?? databaseUrl, given, next })
  const databaseFile = fileOf(databaseUrl, terminal.cwd)
  const rotated = rotateSecret({
    ...{ databaseFile, given, next, clock: terminal.clock },
    migrations: migrationsFolder(terminal),
  })
  const { keys, kept, cleaned } = rotated
  if (rotated.already) return say(terminal, already)
  say(terminal, sealed(keys))
  if (!cleaned)
    say(terminal, 'warning: there was no room to clean the database file: run it again after making some')
  if (given !== undefined) return say(terminal, setIt)
  say(terminal, `the new secret is in ${secretFile(databaseFile)}: keep a copy of it somewhere else`)
  if (kept) say(terminal, `the one before is in ${kept}: backups and copies from before need it`)
}

export function addSecret(program: Command, terminal: Terminal) {
  program
    .command('secret')
    .description('manage the secret that seals the keys')
    .command('rotate')
    .description('seal everything with a new secret, while nothing serves; keys go on working')
    .option('--to <file>', 'holds the new secret, - for standard input; without, one is made')
    .action((options: { to?: string }) => rotate(terminal, options))
}
