import { createReadStream } from 'node:fs'
import { isAbsolute, resolve } from 'node:path'
import { saleFields } from '@saleproof/schema/sales-file'
import type { Command } from 'commander'
import { ImportError, type ImportProblem, type ImportResult } from '../domain/imports.ts'
import { explainFileError } from '../files.ts'
import { withDatabase } from './database.ts'
import { readSales } from './read-sales.ts'
import { CommandError, countOption, say, type Terminal } from './terminal.ts'

/** Where a record and its field stand in the file. */
interface Locations {
  lineOf: (line: number) => number
  columnOf: (field: string | null) => string | undefined
}

/** The locations in NDJSON, which has no columns. */
const sameLines: Locations = { lineOf: (line) => line, columnOf: () => undefined }

function describe({ line, field, message }: ImportProblem, { lineOf, columnOf }: Locations) {
  const column = columnOf(field)
  const where = `line ${lineOf(line)}${column === undefined ? '' : `, ${column}`}`
  return `${where}: ${field ? `${field} ` : ''}${message}`
}

/** Opened when it is read: nothing listens before for its error. */
async function* fileSource(path: string) {
  try {
    yield* createReadStream(path, { highWaterMark: 1 << 20 })
  } catch (error) {
    throw explainFileError(error, path)
  }
}

function openSource(terminal: Terminal, file: string): AsyncIterable<Uint8Array> {
  if (file === '-') return terminal.stdin
  return fileSource(isAbsolute(file) ? file : resolve(terminal.cwd, file))
}

function explain(error: unknown, locations: Locations): unknown {
  if (!(error instanceof ImportError)) return error
  const { problems, more } = error
  const lines = problems.map((problem) => describe(problem, locations))
  if (more) lines.push(`stopped after ${problems.length} errors: --max-errors lists more`)
  return new CommandError(
    [...lines, 'nothing was stored: fix these lines and import the file again'].join('\n'),
  )
}

function report(terminal: Terminal, { counts, warnings, warningCount }: ImportResult, locations: Locations) {
  for (const warning of warnings) say(terminal, `warning: ${describe(warning, locations)}`)
  const unlisted = warningCount - warnings.length
  if (unlisted > 0) say(terminal, `${unlisted} more warnings: --max-errors lists more of them`)
  for (const [type, { created, updated, unchanged }] of Object.entries(counts)) {
    say(terminal, `${type}: ${created} created, ${updated} updated, ${unchanged} unchanged`)
  }
}

export function addImport(program: Command, terminal: Terminal) {
  program
    .command('import')
    .description('load accounts, workspaces, keys, items and purchases from NDJSON')
    .argument('<file>', 'the file, or - for standard input')
    .option('--dry-run', 'check the file and store nothing', false)
    .option('--max-errors <n>', 'the number of errors, and of warnings, to list', countOption, 20)
    .option('--map [fields]', 'read sales from CSV: its columns by their names, or field=COLUMN,…')
    .option('--item <id>', 'with --map: the item of every row, where no column names it', '')
    .addHelpText(
      'after',
      `
Examples:
  saleproof import sales.ndjson
  saleproof import sales.csv --map --dry-run
  saleproof import sales.csv --map "purchase_code=License key,price=Amount" --item 101

Fields: ${saleFields.join(', ')}`,
    )
    .action(async (file: string, { dryRun, maxErrors, map, item }) => {
      const onProgress = terminal.stderr.isTTY
        ? ({ lines }: { lines: number }) => void terminal.stderr.write(`\r${lines} lines`)
        : undefined
      await withDatabase(terminal, async ({ importRecords }) => {
        let locations = sameLines
        try {
          const sales = map ? await readSales(openSource(terminal, file), { map, item }) : undefined
          if (sales) locations = sales
          const result = await importRecords({
            source: sales?.source ?? openSource(terminal, file),
            now: terminal.clock,
            dryRun,
            maxErrors,
            onProgress,
          })
          if (onProgress) terminal.stderr.write('\r')
          report(terminal, result, locations)
          if (dryRun) say(terminal, 'dry run: nothing was stored')
        } catch (error) {
          throw explain(error, locations)
        }
      })
    })
}
