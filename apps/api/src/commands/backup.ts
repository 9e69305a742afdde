import { resolve } from 'node:path'
import type { Command } from 'commander'
import { createBackup } from '../maintenance/backup/create-backup.ts'
import { requireSqlite } from './database.ts'
import { say, type Terminal } from './terminal.ts'

export function addBackup(program: Command, terminal: Terminal) {
  program
    .command('backup')
    .description('copy the embedded database to a new file, even while it serves; without the secret')
    .argument('<file>', 'the file to create; it must not exist')
    .action(async (file: string) => {
      const { databaseFile, secret: given } = requireSqlite(
        terminal,
        'a PostgreSQL database is backed up with its own tools: pg_dump --format=custom, or continuous archiving (docs/postgresql.md, Backups); keep a copy of SALEPROOF_SECRET somewhere else',
      )
      const target = resolve(terminal.cwd, file)
      const isRecorded = await createBackup({ databaseFile, target, clock: terminal.clock })
      if (!isRecorded) say(terminal, 'warning: the backup could not be recorded in the audit log')
      say(terminal, `the backup is in ${target}`)
      const secret = given === undefined ? `the secret, ${databaseFile}.secret,` : 'SALEPROOF_SECRET'
      say(terminal, `${secret} is not in it, and without it no API key works: keep a copy somewhere else`)
    })
}
