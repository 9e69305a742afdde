import { resolve } from 'node:path'
import type { Command } from 'commander'
import { restoreBackup } from '../maintenance/backup/restore-backup.ts'
import { migrationsFolder, requireSqlite } from './database.ts'
import { say, type Terminal } from './terminal.ts'

export function addRestore(program: Command, terminal: Terminal) {
  program
    .command('restore')
    .description('replace the embedded database with a backup, while nothing serves')
    .argument('<file>', 'the backup')
    .option('--force', 'replace a database that contains newer data; it is kept beside the new one', false)
    .option('--plain', 'FILE is a plain copy of a database, such as the one that a migration makes', false)
    .action(async (file: string, { force, plain }) => {
      const { databaseFile, secret } = requireSqlite(
        terminal,
        'a PostgreSQL database is restored with its own tools: stop every instance, then pg_restore --single-transaction --no-owner into an empty database (docs/postgresql.md, Backups)',
      )
      const { created, kept, pending, hasSecret } = await restoreBackup({
        databaseFile,
        source: resolve(terminal.cwd, file),
        migrations: migrationsFolder(terminal),
        secret,
        force,
        plain,
        clock: terminal.clock,
      })
      say(terminal, `restored the ${plain ? 'copy' : 'backup'} of ${created} to ${databaseFile}`)
      if (kept) say(terminal, `the replaced database is in ${kept}`)
      if (pending.length)
        say(
          terminal,
          `it lacks ${pending.length} migrations: "saleproof migrate" or the next start applies them`,
        )
      if (!hasSecret)
        say(
          terminal,
          `warning: the secret of the backup is missing: put it in ${databaseFile}.secret or in SALEPROOF_SECRET before you start`,
        )
    })
}
