import { resolve } from 'node:path'
import { type ImportProblem, isTimeZone } from '@saleproof/schema/console'
import { saleFields } from '@saleproof/schema/sales-file'
import { type Command, InvalidArgumentError, Option } from 'commander'
import { ImportError, type ImportRequest, type ImportResult } from '../domain/imports.ts'
import { readFile } from '../files.ts'
import type { OpenDatabase } from '../open-database.ts'
import { withDatabase } from './database.ts'
import { openDump } from './import-dump.ts'
import { fileName, importSales, profileNames } from './import-sales.ts'
import { CommandError, countOption, itemIdOption, say, type Terminal } from './terminal.ts'

const progressMs = 1000

type Dump = Awaited<ReturnType<typeof openDump>> | undefined
type Places = ReadonlyMap<number, string> | undefined

const describe = ({ line, field, message }: ImportProblem, places: Places) =>
  `${places?.get(line) ?? `line ${line}`}: ${field ? `${field} ` : ''}${message}`

function openSource({ stdin, cwd }: Terminal, file: string): Pick<ImportRequest, 'source' | 'file'> {
  if (file === '-') return { source: stdin }
  const path = resolve(cwd, file)
  return { source: readFile(path), file: path }
}

async function explain(error: unknown, dump: Dump): Promise<unknown> {
  if (!(error instanceof ImportError)) return error
  const { problems, more } = error
  const places = await dump?.locate(problems)
  const lines = problems.map((problem) => describe(problem, places))
  if (more) lines.push(`stopped after ${problems.length} errors: --max-errors lists more`)
  return new CommandError(
    [...lines, 'nothing was stored: fix these lines and import the file again'].join('\n'),
  )
}

async function report(terminal: Terminal, { counts, warnings, warningCount }: ImportResult, dump: Dump) {
  const places = warnings.length > 0 ? await dump?.locate(warnings) : undefined
  for (const warning of warnings) say(terminal, `warning: ${describe(warning, places)}`)
  const unlisted = warningCount - warnings.length
  if (unlisted > 0) say(terminal, `${unlisted} more warnings: --max-errors lists more of them`)
  for (const [type, { created, updated, unchanged }] of Object.entries(counts)) {
    say(terminal, `${type}: ${created} created, ${updated} updated, ${unchanged} unchanged`)
  }
  for (const [what, count] of dump?.omitted ?? []) say(terminal, `left out: ${count} ${what}`)
}

function webAddress(text: string): string {
  if (!/^https?:\/\/[^/]/i.test(text) || !URL.canParse(text))
    throw new InvalidArgumentError('It takes an address such as https://shop.example.com.')
  return text.replace(/\/+$/, '')
}

function timeZone(text: string): string {
  if (!isTimeZone(text)) throw new InvalidArgumentError('It takes a time zone, such as Europe/Lisbon.')
  return text
}

/** On a terminal, a line says how far an import is that takes long. */
function withProgress(terminal: Terminal, importRecords: OpenDatabase['importRecords']) {
  const { stderr, now } = terminal
  if (!stderr.isTTY) return importRecords
  return async (request: ImportRequest) => {
    const progress = new Int32Array(new SharedArrayBuffer(4))
    const began = now()
    const show = () =>
      void stderr.write(`\r${progress[0]} records read, ${Math.round((now() - began) / 1000)} s`)
    const timer = setInterval(show, progressMs)
    try {
      return await importRecords({ ...request, progress })
    } finally {
      clearInterval(timer)
      stderr.write('\r\x1b[K')
    }
  }
}

const ofDumps = ['baseUrl', 'currency', 'timeZone']

/** An option that says nothing of the file would be passed over, and its file stored whole in place of its good rows. */
function refuseForeignOptions({ from, ...flags }: { from?: string }) {
  const isDump = from === 'marketbob'
  const foreign = Object.entries(flags).find(
    ([name, value]) => value && (isDump ? !ofDumps.includes(name) : !from || name === 'baseUrl'),
  )
  if (!foreign) return
  const option = foreign[0].replace(/[A-Z]/, (capital) => `-${capital.toLowerCase()}`)
  throw new CommandError(`--${option} ${from ? `does not go with --from ${from}` : 'needs --from'}`, 2)
}

const oneOf = (name: string, description: string, choices: readonly string[]) =>
  new Option(name, description).choices(choices)

export function addImport(program: Command, terminal: Terminal) {
  program
    .command('import')
    .description('load accounts, workspaces, keys, items and purchases from NDJSON, or the sales of a shop')
    .argument('<file>', 'the file, or - for standard input')
    .option('--dry-run', 'check the file and store nothing', false)
    .option('--max-errors <n>', 'the number of errors, and of warnings, to list', countOption, 20)
    .addOption(
      oneOf(
        '--from <shop>',
        'read the CSV file that a shop exports; none: any CSV; marketbob: its MySQL dump',
        [...profileNames, 'marketbob'],
      ),
    )
    .option('--base-url <url>', 'with --from marketbob: where the old shop is', webAddress)
    .option('--columns <fields>', 'with --from: other columns, as field=COLUMN,…', '')
    .option('--currency <code>', 'with --from: the currency of rows without one')
    .option('--license <type>', 'with --from: the license of rows without one')
    .option('--price <amount>', 'with --from: the price of rows of a file without prices')
    .option('--item <id>', 'with --from: the item of rows without one that is known', itemIdOption)
    .option('--items <file>', 'with --from: CSV with what the file calls each item, and its id')
    .addOption(oneOf('--dates <order>', 'with --from: what 03/04/2026 means', ['dmy', 'mdy']))
    .option(
      '--time-zone <zone>',
      'with --from: of the seller, whose days are meant; UTC without it',
      timeZone,
    )
    .addOption(
      oneOf('--codes <answer>', 'with --from: make codes where rows have none, or skip them', [
        'make',
        'skip',
      ]),
    )
    .option('--skip-invalid', 'with --from: store the other rows where some have problems', false)
    .option('--rejected <file>', 'with --from: write the rows with problems there, as CSV')
    .addHelpText(
      'after',
      `
Examples:
  saleproof import sales.ndjson
  saleproof import --from gumroad sales.csv --currency USD --dry-run
  saleproof import --from marketbob dump.sql --base-url https://shop.example.com
  saleproof import --from none sales.csv --columns "purchase_code=Key,price=Sum" --item 101

Fields: ${saleFields.join(', ')}`,
    )
    .action(async (file: string, { dryRun, maxErrors, ...flags }) => {
      refuseForeignOptions(flags)
      await withDatabase(terminal, async (opened) => {
        const database = { ...opened, importRecords: withProgress(terminal, opened.importRecords) }
        const isDump = flags.from === 'marketbob'
        if (flags.from && !isDump) return importSales(terminal, database, { file, flags, dryRun })
        const dump = isDump ? await openDump(terminal, file, flags) : undefined
        try {
          const result = await database.importRecords({
            ...(dump
              ? { source: dump.source(), shop: { profile: 'marketbob', file: fileName(file) } }
              : openSource(terminal, file)),
            now: terminal.clock,
            dryRun,
            maxErrors,
          })
          await report(terminal, result, dump)
          if (dryRun) say(terminal, 'dry run: nothing was stored')
        } catch (error) {
          throw await explain(error, dump)
        }
      })
    })
}
