import { plural } from '../plural.ts'

export const records = {
  title: 'Import',
  lead: 'Bring in sales from a CSV file, or items and sales in the import format. Everything is checked first.',
  file: 'File',
  fileHint: 'CSV of a shop, a payment service or a spreadsheet, or NDJSON of an export; up to 16 MiB.',
  unreadable: 'The file could not be read. Select it again.',
  columns: { line: 'Line', field: 'Field', problem: 'Problem' },
  check: 'Check',
  submit: 'Import',
  stop: 'Stop',
  stopped: 'Stopped. Nothing was imported.',
  running: 'Importing',
  checked: 'Nothing is wrong. Nothing was imported yet.',
  done: 'The records are imported.',
  counts: (created: number, updated: number, unchanged: number) =>
    `${created} new, ${updated} changed, ${unchanged} unchanged.`,
  warnings: (count: number) =>
    `${plural('en', count, { one: 'code is', other: 'codes are' })} shorter than 12 characters: they can be guessed.`,
  problems: (count: number, more: boolean) =>
    `${more ? 'More than ' : ''}${plural('en', count, { one: 'problem', other: 'problems' })}`,
  problemsTitle: 'Problems',
  problemsText: 'Nothing was imported. Fix these lines in the file and select it again.',
}
