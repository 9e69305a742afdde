import { join } from 'node:path'
import { type Config, loadConfig } from '../config.ts'
import { databaseFile, databaseKind } from '../db/location.ts'
import { createRecorder } from '../domain/audit-log.ts'
import { type DatabaseOptions, type OpenDatabase, openDatabase } from '../open-database.ts'
import { CommandError, type Terminal } from './terminal.ts'

/** A command may wait for another writer to finish. */
const busyTimeoutMs = 5000

export const readConfig = (terminal: Terminal): Config => loadConfig(terminal.env, { cores: terminal.cores })

/** The configured SQLite file. Ends a command that works with SQLite only. */
export function requireSqlite(terminal: Terminal, advice: string) {
  const { databaseUrl, secret } = readConfig(terminal)
  if (databaseKind(databaseUrl) === 'postgresql') throw new CommandError(advice)
  return { databaseFile: databaseFile(databaseUrl, terminal.cwd), secret }
}

export const migrationsFolder = (terminal: Terminal) => join(terminal.packageRoot, 'prisma/migrations')

export function openConfigured(
  terminal: Terminal,
  { databaseUrl, directUrl, secret }: Config,
  options: Pick<DatabaseOptions, 'busyTimeoutMs' | 'migrate' | 'acceptLostWrites'>,
): Promise<OpenDatabase> {
  const { cwd, clock } = terminal
  const migrations = migrationsFolder(terminal)
  return openDatabase({ databaseUrl, directUrl, secret, cwd, clock, migrations, ...options })
}

/** The database with what changing records takes. */
const forCommand = ({ clock, now }: Terminal, opened: OpenDatabase) => ({
  ...opened,
  ...opened.database,
  clock,
  now,
  record: createRecorder({ clock, actor: 'cli' }),
})

export type ForCommand = ReturnType<typeof forCommand>

/**
 * Opens the configured database, runs the command, and closes the database. Creates an embedded database that does not exist yet: a new
 * deployment may well start with `import`.
 */
export async function withDatabase<T>(
  terminal: Terminal,
  act: (database: ForCommand) => Promise<T>,
): Promise<T> {
  const config = readConfig(terminal)
  const opened = await openConfigured(terminal, config, { busyTimeoutMs, migrate: 'when new' })
  try {
    return await act(forCommand(terminal, opened))
  } finally {
    await opened.close()
  }
}
