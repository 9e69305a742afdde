import { join } from 'node:path'
import { createRecorder } from '../audit/append.ts'
import { type Config, loadConfig } from '../config.ts'
import { kindOf } from '../db/location.ts'
import { type OpenDatabase, openDatabase } from '../open-database.ts'
import { CommandError, type Terminal } from './terminal.ts'

/** A person waits for a command: it may wait for another writer to finish. */
const busyTimeoutMs = 5000

export const configOf = (terminal: Terminal): Config => loadConfig(terminal.env, { cores: terminal.cores })

/** For what only an SQLite file can do. */
export function requireSqlite({ databaseUrl }: Config, instead: string) {
  if (kindOf(databaseUrl) === 'postgresql') throw new CommandError(instead)
}

export const migrationsFolder = (terminal: Terminal) => join(terminal.packageRoot, 'prisma/migrations')

/** Records what a command does. */
export const recorderOf = ({ clock }: Terminal, { vault }: OpenDatabase) =>
  createRecorder({ vault, clock, actor: 'cli' })

/**
 * Opens what the configuration names, runs the command, and closes it again. A database that is not there yet is made: the first
 * thing that a deployer types may well be `import`.
 */
export async function withDatabase<T>(
  terminal: Terminal,
  act: (database: OpenDatabase, config: Config) => Promise<T>,
): Promise<T> {
  const config = configOf(terminal)
  const database = await openDatabase({
    databaseUrl: config.databaseUrl,
    directUrl: config.directUrl,
    secret: config.secret,
    cwd: terminal.cwd,
    migrations: migrationsFolder(terminal),
    busyTimeoutMs,
    clock: terminal.clock,
    migrate: 'when new',
  })
  try {
    return await act(database, config)
  } finally {
    await database.close()
  }
}
