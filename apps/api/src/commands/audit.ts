import { type Command, InvalidArgumentError } from 'commander'
import { listAudit } from '../domain/audit-list.ts'
import { withDatabase } from './database.ts'
import { type Terminal, writeTable } from './terminal.ts'

function numberOption(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('It takes a number from 1 to 999999999.')
  return Number(text)
}

const columns = ['number', 'at', 'action', 'actor', 'workspace', 'subject', 'name'] as const

export function addAudit(program: Command, terminal: Terminal) {
  program
    .command('audit')
    .description('show the log of changes to keys and data')
    .command('list')
    .description('list the entries, newest last')
    .option('--limit <n>', 'the number of entries', numberOption, 50)
    .option('--before <number>', 'list entries before this one', numberOption)
    .option('--json', 'print JSON', false)
    .action(async ({ limit, before, json }) => {
      const rows = await withDatabase(terminal, (database) => listAudit(database, { limit, before }))
      await writeTable(terminal, rows, { json, columns })
    })
}
