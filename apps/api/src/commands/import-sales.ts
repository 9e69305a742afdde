import { createReadStream, existsSync, statSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { resolve } from 'node:path'
import { Readable } from 'node:stream'
import type { SalesChoices, SalesOutcome } from '@saleproof/schema/console'
import { createRejectedRows, type SaleField, saleFields } from '@saleproof/schema/sales-file'
import type { FilePreview, ImportRequest, SalesOptions } from '../domain/imports.ts'
import { createSalesFiles } from '../domain/sales-files.ts'
import { explainFileError, readFile } from '../files.ts'
import { findProfile } from '../import-export/sales/columns.ts'
import { readRows } from '../import-export/sales/csv.ts'
import { profiles } from '../import-export/sales/profiles/index.ts'
import { isOwnId } from '../import-export/sales/sale-reader.ts'
import { cleanCell } from '../import-export/sales/values.ts'
import type { ForCommand } from './database.ts'
import {
  columnName,
  describeColumns,
  isSaleField,
  listUnmatched,
  problemColumn,
  report,
} from './sales-report.ts'
import { CommandError, readAll, say, type Terminal } from './terminal.ts'

/** What the command line says of a sales file. */
export interface SalesFlags {
  from: string
  columns: string
  currency?: string
  license?: string
  price?: string
  item?: number
  items?: string
  dates?: SalesChoices['dates']
  timeZone?: string
  codes?: SalesChoices['codes']
  skipInvalid: boolean
  rejected?: string
}

export const profileNames = profiles.map(({ name }) => name)

/** For the activity log. */
export const fileName = (file: string) =>
  file === '-' ? 'standard input' : (file.split(/[\\/]/).at(-1) ?? file)

type Open = () => Pick<ImportRequest, 'source' | 'file'>

/** In bytes. */
const maxKept = 64 * 1024 * 1024

/** A file of another shop is read more than once: what comes from a pipe is kept in memory. */
export async function openTwice({ stdin, cwd }: Terminal, file: string): Promise<Open> {
  const path = resolve(cwd, file)
  const isPipe = existsSync(path) && statSync(path).isFIFO()
  if (file !== '-' && !isPipe) return () => ({ source: readFile(path), file: path })
  const bytes = await readAll(isPipe ? createReadStream(path) : stdin, maxKept)
  if (!bytes) throw new CommandError('a pipe gives 64 MiB at most: save it to a file, and import that')
  return () => ({ source: Readable.from([bytes]) })
}

/** The columns that `--columns field=COLUMN,…` names. */
function readColumns(preview: FilePreview, text: string): Partial<Record<SaleField, number>> {
  const pairs = text.split(',').map((pair): [SaleField, number] => {
    const [, field = '', name = ''] = /^\s*(\w+)=(.*)$/.exec(pair) ?? []
    if (!isSaleField(field))
      throw new CommandError(`--columns takes field=COLUMN, with one of the fields ${saleFields.join(', ')}`)
    // Without a name it has none: `state=` of a file whose `State` is that of an address.
    if (name.trim() === '') return [field, -1]
    const index = preview.names.findIndex((each) => each.toLowerCase() === name.trim().toLowerCase())
    const names = preview.names.map((_, at) => columnName(preview, at))
    if (index < 0) throw new CommandError(`the file has no column ${name}: it has ${names.join(', ')}`)
    return [field, index]
  })
  return Object.fromEntries(pairs)
}

/** Ends a command that has to be told more. */
function requireAnswers(preview: FilePreview, flags: SalesFlags) {
  const { columns, dates_unclear: isUnclear } = preview
  const has = (...fields: SaleField[]) => fields.some((field) => columns[field] >= 0)
  const missing = [
    ...(has('date') ? [] : ['date: name it with --columns date=COLUMN']),
    ...(has('price') || flags.price !== undefined ? [] : ['price: give one with --price 19.99']),
    ...(has('currency') || flags.currency ? [] : ['currency: give one with --currency USD']),
    ...(has('item', 'product_id') || flags.item ? [] : ['item: give one with --item 101']),
    ...(has('purchase_code') || flags.codes ? [] : ['purchase_code: make codes with --codes make']),
  ]
  if (missing.length > 0) throw new CommandError(missing.map((each) => `no column for ${each}`).join('\n'))
  if (isUnclear && !flags.dates)
    throw new CommandError('the file has days such as 03/04/2026: say --dates dmy or --dates mdy')
}

/** What `--items` says: a row for each item, with what the sales file calls it and the id of the item. */
async function readItems(path: string): Promise<Record<string, number>> {
  const items = new Map<string, number>()
  for await (const rows of readRows(readFile(path)))
    for (const { line, cells } of rows) {
      const [text, id] = [cleanCell(cells[0]), cleanCell(cells[1])]
      if (text === '' || (line === 1 && !/^\d+$/.test(id))) continue
      if (!/^[1-9]\d{0,14}$/.test(id))
        throw new CommandError(`line ${line} of the items: it takes what the file calls an item, and its id`)
      items.set(text, Number(id))
    }
  return Object.fromEntries(items)
}

function isSameFile(...paths: string[]): boolean {
  const [one, other] = paths.map((path) => statSync(path, { bigint: true, throwIfNoEntry: false }))
  return one !== undefined && one.ino === other?.ino && one.dev === other.dev
}

/** Before anything is stored: where the rows cannot be written, none may be left out. */
const openRejected = (path: string) =>
  open(path, 'a', 0o600).catch((error: unknown) => {
    throw explainFileError(error, path)
  })

async function writeRejected(file: FileHandle, source: Open, preview: FilePreview, outcome: SalesOutcome) {
  const problems = outcome.problems.map((each) => ({ ...each, column: problemColumn(preview, each.field) }))
  const take = createRejectedRows({ ...outcome, problems })
  // Without such rows it has its header alone: what another import left there is none of this one.
  if ((await file.stat()).isFile()) await file.truncate()
  for await (const chunk of source().source) await file.write(take(chunk))
  await file.write(take())
}

async function readOptions(
  terminal: Terminal,
  database: ForCommand,
  preview: FilePreview,
  { file, flags }: { file: string; flags: SalesFlags },
): Promise<SalesOptions> {
  const files = createSalesFiles(database)
  const matched = await files.match(preview.items, preview.profile)
  const found = matched.flatMap(({ text, item }) => (item ? [[text, item.id] as const] : []))
  const given = flags.items ? await readItems(resolve(terminal.cwd, flags.items)) : {}
  for (const { text, name, item } of matched)
    if (
      item &&
      ![text, name].some((each) => Object.hasOwn(given, each)) &&
      ![item.name, String(item.id)].some((each) => [text, name].includes(each))
    )
      say(terminal, `${name || text}: item ${item.id}, ${item.name}`)
  const named = matched.flatMap(({ text, name }) =>
    Object.hasOwn(given, name) && !isOwnId(preview.profile, text) ? [[text, given[name]!] as const] : [],
  )
  const items = { ...Object.fromEntries([...found, ...named]), ...given }
  const unmatched = matched.filter(({ text }) => text && !Object.hasOwn(items, text))
  if (!flags.item) listUnmatched(terminal, unmatched)
  const ids = [...Object.values(items), ...(flags.item ? [flags.item] : [])]
  const [workspaceId, ...others] = flags.codes === 'make' ? await files.owners(ids) : []
  if (flags.codes === 'make' && workspaceId === undefined)
    throw new CommandError('no item of the file is known: say which it is with --items or --item')
  if (others.length > 0) throw new CommandError('--codes make takes items of one workspace')
  return {
    file: fileName(file),
    profile: preview.profile,
    columns: preview.columns,
    values: {
      ...(flags.item && { item: flags.item }),
      ...(flags.license !== undefined && { license_type: flags.license }),
      ...(flags.price !== undefined && { price: flags.price }),
      ...(flags.currency && { currency: flags.currency }),
    },
    items,
    newItems: [],
    dates: flags.dates ?? preview.dates ?? 'dmy',
    time_zone: flags.timeZone ?? 'UTC',
    ...(flags.codes && { codes: flags.codes }),
    ...(flags.codes === 'make' && workspaceId && { seed: await files.seed(workspaceId) }),
    skip_invalid: flags.skipInvalid,
  }
}

/** Imports the file of a shop, by its profile. */
export async function importSales(
  terminal: Terminal,
  database: ForCommand,
  request: { file: string; flags: SalesFlags; dryRun: boolean },
) {
  const { file, flags, dryRun } = request
  const rejected = flags.rejected && resolve(terminal.cwd, flags.rejected)
  if (rejected && isSameFile(rejected, resolve(terminal.cwd, file)))
    throw new CommandError('--rejected names the file that is imported', 2)
  if (!findProfile(flags.from)) throw new CommandError(`--from takes one of ${profileNames.join(', ')}`)
  const openFile = await openTwice(terminal, file)
  const { importRecords } = database
  const look = async (columns?: FilePreview['columns']) => {
    const previewed = await importRecords({
      ...openFile(),
      now: terminal.clock,
      preview: { profile: flags.from, ...(columns && { columns }) },
    })
    // It was asked for.
    return previewed.preview as FilePreview
  }
  let preview = await look()
  if (flags.columns) preview = await look({ ...preview.columns, ...readColumns(preview, flags.columns) })
  if (dryRun) describeColumns(terminal, preview)
  requireAnswers(preview, flags)
  const sales = await readOptions(terminal, database, preview, request)
  const rest = rejected ? await openRejected(rejected) : undefined
  const result = await importRecords({ ...openFile(), now: terminal.clock, sales, dryRun })
  report(terminal, preview, result)
  // What a dry run would reject is written. Where it would reject none, the rows that are there wait for an import.
  if (rest && result.sales && (!dryRun || result.sales.rejected > 0))
    await writeRejected(rest, openFile, preview, result.sales)
  await rest?.close()
  if (result.refused)
    throw new CommandError('nothing was stored: correct these rows, or import the others with --skip-invalid')
  if (dryRun) say(terminal, 'dry run: nothing was stored')
  else await createSalesFiles(database).keepItems(sales.profile, sales.items)
}
