import type { Command } from 'commander'
import { inTransaction } from '../db/transaction.ts'
import { recorderOf, withStore } from './store.ts'
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
      await withStore(terminal, async (store) => {
        await inTransaction(store.prisma, (tx) => recorderOf(terminal, store)(tx, { action: 'export' }))
        for await (const piece of store.export()) await write(terminal, piece)
      })
    })
}
