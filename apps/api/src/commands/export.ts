import type { Command } from 'commander'
import { inTransaction } from '../db/prisma.ts'
import { recorderOf, withDatabase } from './database.ts'
import { say, type Terminal, write } from './terminal.ts'

export function addExport(program: Command, terminal: Terminal) {
  program
    .command('export')
    .description('write everything as NDJSON to standard output, keys in clear')
    .action(async () => {
      if (terminal.stdout.isTTY) {
        say(
          terminal,
          'warning: the keys, codes and addresses below are in clear; write them to a file that only you can read',
        )
      }
      await withDatabase(terminal, async (database) => {
        await inTransaction(database.prisma, (tx) => recorderOf(terminal, database)(tx, { action: 'export' }))
        for await (const piece of database.exportRecords()) await write(terminal, piece)
      })
    })
}
