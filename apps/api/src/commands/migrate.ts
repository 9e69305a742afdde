import type { Command } from 'commander'
import { databaseFile, databaseKind, postgresMigrationsFolder } from '../db/location.ts'
import type { Migrator } from '../db/migrator.ts'
import { lockShared } from '../db/sqlite/lock.ts'
import { createSqliteMigrator } from '../db/sqlite/migrate.ts'
import { migrationsFolder, readConfig } from './database.ts'
import { say, type Terminal, write } from './terminal.ts'

async function openMigrator(terminal: Terminal): Promise<Migrator> {
  const { databaseUrl } = readConfig(terminal)
  const { clock } = terminal
  const folder = migrationsFolder(terminal)
  if (databaseKind(databaseUrl) === 'postgresql') {
    const { createPostgresMigrator } = await import('../db/postgres/migrate.ts')
    const { readAddress } = await import('../db/postgres/address.ts')
    const address = readAddress(databaseUrl)
    return createPostgresMigrator({ address, folder: postgresMigrationsFolder(folder), clock })
  }
  const file = databaseFile(databaseUrl, terminal.cwd)
  const { status, apply } = createSqliteMigrator({ databaseFile: file, migrations: folder, clock })
  return {
    status,
    async apply() {
      const held = lockShared(file)
      return apply().finally(held.release)
    },
  }
}

export function addMigrate(program: Command, terminal: Terminal) {
  program
    .command('migrate')
    .description('apply pending migrations')
    .option('--status', 'only print the migrations', false)
    .action(async ({ status }) => {
      const migrator = await openMigrator(terminal)
      if (status) {
        const { applied, pending } = await migrator.status()
        for (const name of applied) await write(terminal, `applied  ${name}\n`)
        for (const name of pending) await write(terminal, `pending  ${name}\n`)
        return
      }
      const { applied, backup } = await migrator.apply()
      if (backup) say(terminal, `a backup of the database is in ${backup}`)
      say(
        terminal,
        applied.length ? `applied ${applied.join(', ')}` : 'nothing to apply: the database is up to date',
      )
    })
}
