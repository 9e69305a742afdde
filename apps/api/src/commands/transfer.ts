import type { Command } from 'commander'
import { databaseFile, databaseKind } from '../db/location.ts'
import { migrationsFolder, readConfig } from './database.ts'
import { CommandError, say, type Terminal, writeTable } from './terminal.ts'

export function addTransfer(program: Command, terminal: Terminal) {
  program
    .command('transfer')
    .description('move a deployment from a file to the empty PostgreSQL database, while nothing serves')
    .requiredOption('--from <address>', 'the file to move from, file:…')
    .option('--json', 'print the moved tables as JSON', false)
    .action(async ({ from, json }) => {
      const { databaseUrl, directUrl, secret } = readConfig(terminal)
      if (databaseKind(from) !== 'sqlite' || databaseKind(databaseUrl) !== 'postgresql')
        throw new CommandError(
          'transfer moves from a file to the PostgreSQL database of DATABASE_URL; every other way is backup and restore, pg_dump and pg_restore, or export and import',
          2,
        )
      const { transferToPostgres } = await import('../maintenance/transfer/to-postgresql.ts')
      const moved = await transferToPostgres({
        databaseFile: databaseFile(from, terminal.cwd),
        databaseUrl: directUrl ?? databaseUrl,
        secret,
        migrations: migrationsFolder(terminal),
        clock: terminal.clock,
      })
      await writeTable(terminal, moved, { json, columns: ['table', 'rows'] })
      say(terminal, 'every row was copied to the PostgreSQL database')
    })
}
