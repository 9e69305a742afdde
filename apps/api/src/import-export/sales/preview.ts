import type { SalesPreviewRequest } from '@saleproof/schema/console'
import type { SaleField } from '@saleproof/schema/sales-file'
import type { FilePreview } from '../../domain/imports.ts'
import { findProfile, guessColumns, isInUtc, recognize } from './columns.ts'
import type { Row } from './csv.ts'
import { profiles } from './profiles/index.ts'
import { itemText } from './sale-reader.ts'
import { openTable, skipReason } from './table.ts'
import { cleanCell, type DateOrder, orderedParts } from './values.ts'

/** By so many rows the columns are guessed; so many values are shown of each; so many items are matched by hand. */
const limits = { guessed: 500, shown: 3, items: 1000 }

/** A part of a text holds all of it in memory. */
const copyText = (text: string) => Buffer.from(text).toString()

/** The first values of each column. */
function sampleColumns(names: readonly string[], rows: readonly Row[]) {
  const samples = names.map(() => new Set<string>())
  for (const row of rows) {
    if (skipReason(row, names)) continue
    for (const [index, values] of samples.entries()) {
      const value = cleanCell(row.cells[index])
      if (value !== '') values.add(value)
    }
  }
  return samples.map((values) => [...values])
}

/** The order of days and months; null where none is needed, undefined where the data do not say it: a part above 12 can only be a day. */
function findOrder([first, second]: readonly [largest: number, number]): DateOrder | null | undefined {
  if (first === 0) return null
  return first > 12 === second > 12 ? undefined : first > 12 ? 'dmy' : 'mdy'
}

/** Says how a sales file would be read: what it looks like, and what has to be asked. */
export async function previewSales(
  source: AsyncIterable<Uint8Array>,
  request: SalesPreviewRequest,
): Promise<FilePreview> {
  const { names, isTorn, blocks } = await openTable(source)
  const profile = findProfile(request.profile ?? '') ?? recognize(names)
  const items = new Map<string, { name: string; count: number }>()
  let largest: readonly [number, number] = [0, 0]
  let columns = request.columns
  let samples: string[][] | undefined
  let rows = 0
  const without = { purchase_code: 0, currency: 0, license_type: 0 }
  let order = ''
  let moreItems = false

  function read(row: Row) {
    if (!columns || skipReason(row, names)) return
    const found = columns
    const cell = (field: SaleField) => cleanCell(row.cells[found[field]])
    rows += 1
    // A line that was cut asks for no answer: it is a problem, whatever is said of codes.
    if (isTorn(row)) return
    const inherits = profile.lineItems === true && order !== '' && order === cell('order')
    order = cell('order')
    if (cell('purchase_code') === '') without.purchase_code += 1
    if (cell('currency') === '' && !inherits) without.currency += 1
    if (cell('license_type') === '' && !inherits) without.license_type += 1
    for (const field of ['date', 'time', 'supported_until'] as const) {
      const [first, second] = orderedParts(cell(field)) ?? [0, 0]
      largest = [Math.max(largest[0], first), Math.max(largest[1], second)]
    }
    const text = itemText(cell, profile)
    const item = items.get(text)
    if (item) item.count += 1
    else if (items.size >= limits.items) moreItems = true
    else items.set(copyText(text), { name: copyText(cell('item')), count: 1 })
  }

  let held: Row[] = []
  function readHeld() {
    samples ??= sampleColumns(names, held)
    columns ??= guessColumns(profile, names, samples)
    held.forEach(read)
    held = []
    return { samples, columns }
  }

  for await (const block of blocks) {
    held.push(...block)
    if (samples || held.length >= limits.guessed) readHeld()
  }
  const guessed = readHeld()
  const dates = findOrder(largest)
  return {
    profile: profile.name,
    title: profile.title,
    profiles: profiles.map(({ name, title }) => ({ name, title })),
    names: [...names],
    samples: guessed.samples.map((values) => values.slice(0, limits.shown)),
    columns: guessed.columns,
    items: [...items].map(([text, { name, count }]) => ({ text, name, count })),
    more_items: moreItems,
    dates: dates ?? null,
    dates_unclear: dates === undefined,
    needs_time_zone: !isInUtc(profile, names),
    rows,
    without,
  }
}
