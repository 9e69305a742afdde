import type { Command } from 'commander'
import { listAudit } from '../domain/audit-list.ts'
import { withDatabase } from './database.ts'
import { countOption, type Terminal, writeTable } from './terminal.ts'

const columns = ['number', 'at', 'action', 'actor', 'workspace', 'subject', 'name'] as const

export function addAudit(program: Command, terminal: Terminal) {
  program
    .command('audit')
    .description('show the log of changes to keys and data')
    .command('list')
    .description('list the entries, newest last')
    .option('--limit <n>', 'the number of entries', countOption, 50)
    .option('--before <number>', 'list entries before this one', countOption)
    .option('--json', 'print JSON', false)
    .action(async ({ limit, before, json }) => {
      const rows = await withDatabase(terminal, (database) => listAudit(database, { limit, before }))
      await writeTable(terminal, rows, { json, columns })
    })
}
