import type { Command } from 'commander'
import { exportRecords } from '../import-export/export.ts'
import { withDatabase } from './database.ts'
import { say, type Terminal, write } from './terminal.ts'

export function addExport(program: Command, terminal: Terminal) {
  program
    .command('export')
    .description('write everything to standard output as NDJSON, with keys in plain text')
    .action(async () => {
      if (terminal.stdout.isTTY) {
        say(
          terminal,
          'warning: the output contains keys, codes and addresses in plain text; write it to a file that only you can read',
        )
      }
      await withDatabase(terminal, async (database) => {
        await database.transact((tx) => database.record(tx, { action: 'export' }))
        await exportRecords(database, (piece) => write(terminal, piece))
      })
    })
}
