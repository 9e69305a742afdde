import { type Command, InvalidArgumentError } from 'commander'
import { formatNoted, type NotedEntry, parseNoted } from '../audit/check.ts'
import { listAudit } from '../audit/list.ts'
import { verifyAudit } from '../audit/read.ts'
import { withDatabase } from './database.ts'
import { CommandError, say, type Terminal, write, writeTable } from './terminal.ts'

function notedOption(text: string): NotedEntry {
  const noted = parseNoted(text)
  if (!noted) throw new InvalidArgumentError('It takes what "audit verify" printed, such as 12:x7…')
  return noted
}

function numberOption(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('It takes a number from 1 to 999999999.')
  return Number(text)
}

function addVerify(audit: Command, terminal: Terminal) {
  audit
    .command('verify')
    .description(
      'verify that no entry was changed, moved, added or removed; print the position and hash of the last one',
    )
    .option(
      '--noted <position:hash>',
      'printed by an earlier run: require that this entry still exists',
      notedOption,
    )
    .action(async ({ noted }) => {
      const { problem, last, removed } = await withDatabase(terminal, (database) =>
        verifyAudit(database, { noted }),
      )
      if (problem) throw new CommandError(`the audit log is broken: ${problem}`)
      if (noted && noted.position <= removed)
        throw new CommandError(
          `the audit log is intact, but entry ${noted.position} cannot be compared: retention removed the entries up to ${removed}. Keep a note of a newer one: ${formatNoted(last)}`,
        )
      if (last.position === 0) return say(terminal, 'the audit log is intact: nothing was recorded yet')
      say(
        terminal,
        `the audit log is intact: ${last.position - removed} entries${removed ? ` from ${removed + 1} on, since retention removed those before` : ''}; keep a note of the last one somewhere else:`,
      )
      await write(terminal, `${formatNoted(last)}\n`)
    })
}

const columns = ['number', 'at', 'action', 'actor', 'workspace', 'subject', 'name'] as const

function addList(audit: Command, terminal: Terminal) {
  audit
    .command('list')
    .description('list the entries, newest last')
    .option('--limit <n>', 'the number of entries', numberOption, 50)
    .option('--before <number>', 'list entries before this one', numberOption)
    .option('--json', 'print JSON, with the hashes', false)
    .action(async ({ limit, before, json }) => {
      const rows = await withDatabase(terminal, (database) => listAudit(database, { limit, before }))
      await writeTable(terminal, rows, { json, columns })
    })
}

export function addAudit(program: Command, terminal: Terminal) {
  const audit = program.command('audit').description('show or verify the log of changes to keys and data')
  addVerify(audit, terminal)
  addList(audit, terminal)
}
