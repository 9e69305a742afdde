import type { Command } from 'commander'
import { databaseFile } from '../database/location.ts'
import { holdDatabase } from '../database/lock.ts'
import { createMigrator } from '../database/migrate.ts'
import { configOf, migrationsFolder } from './store.ts'
import { say, type Terminal, write } from './terminal.ts'

export function addMigrate(program: Command, terminal: Terminal) {
  program
    .command('migrate')
    .description('apply pending migrations')
    .option('--status', 'print them only', false)
    .action(async ({ status }) => {
      const file = databaseFile(configOf(terminal).databaseUrl, terminal.cwd)
      const migrator = createMigrator({ file, folder: migrationsFolder(terminal), clock: terminal.clock })
      if (status) {
        const { applied, pending } = migrator.status()
        for (const name of applied) await write(terminal, `applied  ${name}\n`)
        for (const name of pending) await write(terminal, `pending  ${name}\n`)
        return
      }
      const held = holdDatabase(file)
      const { applied, backup } = migrator.apply()
      held.release()
      if (backup) say(terminal, `the database as it was is in ${backup}`)
      say(
        terminal,
        applied.length ? `applied ${applied.join(', ')}` : 'nothing to apply: the database is up to date',
      )
    })
}
