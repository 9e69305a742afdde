import type { Command } from 'commander'
import { withDatabase } from './database.ts'
import { say, type Terminal } from './terminal.ts'

export function addReopen(program: Command, terminal: Terminal) {
  program
    .command('reopen')
    .description('use a database again that was transferred away')
    .action(async () => {
      await withDatabase(terminal, async () => {}, { reopen: true })
      say(
        terminal,
        'this database is used again, without what the other one has recorded since: no longer serve that one',
      )
    })
}
