import {
  type ConsoleImport,
  SalesChoicesSchema,
  type SalesFileItem,
  type SalesImport,
  type SalesOutcome,
  type SalesPreview,
  SalesPreviewSchema,
} from '@saleproof/schema/console'
import type * as v from 'valibot'
import { type FilePreview, ImportError } from '../domain/imports.ts'
import { createSalesFiles } from '../domain/sales-files.ts'
import { createFairQueue } from '../fair-queue.ts'
import { retryAfterSeconds } from '../http/error-response.ts'
import { readImport } from '../http/import-body.ts'
import type { RequestContext } from '../http/state.ts'
import { findProfile } from '../import-export/sales/columns.ts'
import { busy, ConsoleError, invalid } from './console-error.ts'
import type { Call, ConsoleImportTask, ConsoleOptions, Handlers } from './handler.ts'
import { consoleActor } from './names.ts'
import { requireType, validate } from './request.ts'

/** As many problems as a person reads. */
const maxErrors = 100

const newline = 0x0a

/** Enough for a thousand items with long names. */
const maxChoicesLength = 512 * 1024

const noCount = { created: 0, updated: 0, unchanged: 0 } as const
const nothing = { items: noCount, purchases: noCount } as const

/** The choices on the first line of a body, and the file after it. */
async function readChoices<Schema extends v.GenericSchema<unknown, { profile?: string }>>(
  ctx: RequestContext,
  schema: Schema,
) {
  requireType(ctx, 'application/octet-stream')
  const { source, signal } = readImport(ctx)
  const chunks = source[Symbol.asyncIterator]()
  const read: Uint8Array[] = []
  let length = 0
  while (!read.at(-1)?.includes(newline)) {
    const { done, value } = await chunks.next()
    if (done || length > maxChoicesLength) throw new ConsoleError('malformed_body')
    read.push(value)
    length += value.length
  }
  const head = Buffer.concat(read)
  const end = head.indexOf(newline)
  const choices = validate(schema, parse(head.toString('utf8', 0, end)))
  if (choices.profile !== undefined && !findProfile(choices.profile)) throw invalid('profile', 'type')
  async function* file() {
    yield head.subarray(end + 1)
    yield* { [Symbol.asyncIterator]: () => chunks }
  }
  return { choices, source: file(), signal }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // The message of the parser quotes the text.
    throw new ConsoleError('malformed_body')
  }
}

/** Imports items and purchases of one workspace, by the rules of every import. */
export function createImportHandler({ importRecords, database, address }: ConsoleOptions) {
  const salesFiles = createSalesFiles(database)

  /** One import of an account at a time. */
  const alone = createFairQueue({
    running: Number.POSITIVE_INFINITY,
    ofOwner: 1,
    waitingOfOwner: 0,
    full: () => new ConsoleError('too_many_imports', { retryAfter: retryAfterSeconds }),
  })

  async function load(task: ConsoleImportTask): Promise<ConsoleImport> {
    try {
      const { counts, warnings } = await importRecords(task)
      return {
        stored: !task.dryRun,
        problems: [],
        more: false,
        warnings: [...warnings],
        counts: { items: counts.item, purchases: counts.purchase },
      }
    } catch (error) {
      if (!(error instanceof ImportError)) throw error
      const { problems, more } = error
      return { stored: false, problems: [...problems], more, warnings: [], counts: nothing }
    }
  }

  async function run({ ctx, owner, workspace, request }: Call<'importRecords'>): Promise<ConsoleImport> {
    const { only_new: onlyNew = false, dry_run: dryRun = false, locale } = request
    requireType(ctx, 'application/x-ndjson')
    return load({
      ...readImport(ctx),
      actor: consoleActor(owner.account.id),
      own: { workspace: workspace.slug, onlyNew },
      // Only the forms of the console ask for one new record.
      manual: onlyNew,
      dryRun,
      maxErrors,
      locale,
    })
  }

  async function preview({ ctx, workspace }: Call<'previewSales'>): Promise<SalesPreview> {
    const { choices, ...body } = await readChoices(ctx, SalesPreviewSchema)
    const result = await importRecords({ ...body, preview: choices })
    // It was asked for.
    const found = result.preview as FilePreview
    return { ...found, items: await salesFiles.match(found.items, found.profile, workspace.id) }
  }

  /** The items that a file makes, but for those that it made when it was sent before. They get the first ids that are free. */
  async function makeItems(ctx: RequestContext, matched: readonly SalesFileItem[]) {
    const missing = matched.filter(({ item }) => item === null)
    const [row] = await database.read<{ id: number | null }>(
      `SELECT min(i."id") AS "id" FROM "Item" i WHERE i."id" >= 1000 AND NOT EXISTS
        (SELECT 1 FROM "Item" n WHERE n."id" > i."id" AND n."id" <= i."id" + ${missing.length})`,
    )
    const first = Number(row?.id ?? 1000) + 1
    const url = address.of(ctx.req)
    return missing.map(({ text, name }, index) => ({ text, id: first + index, name, url }))
  }

  async function runSales({ ctx, owner, workspace }: Call<'importSales'>): Promise<SalesImport> {
    const { choices, ...body } = await readChoices(ctx, SalesChoicesSchema)
    const { dry_run: dryRun, locale, new_items: names, ...sales } = choices
    const named = Object.entries(names).map(([text, name]) => ({ text, name, count: 0 }))
    const matched = await salesFiles.match(named, sales.profile, workspace.id)
    const newItems = await makeItems(ctx, matched)
    const made = matched.flatMap(({ text, item }) => (item ? [[text, item.id] as const] : []))
    const added = [...made, ...newItems.map(({ text, id }) => [text, id] as const)]
    const items = { ...sales.items, ...Object.fromEntries(added) }
    const seed = sales.codes === 'make' ? await salesFiles.seed(workspace.id) : undefined
    const result = await importRecords({
      ...body,
      actor: consoleActor(owner.account.id),
      own: { workspace: workspace.slug, onlyNew: false },
      sales: { ...sales, items, newItems, seed },
      dryRun,
      locale,
    }).catch((error: unknown) => {
      // Another workspace took the ids of new items meanwhile: they get others when it is tried again.
      throw error instanceof ImportError ? busy() : error
    })
    const stored = !dryRun && !result.refused
    if (stored) await salesFiles.keepItems(sales.profile, items, workspace.id)
    const { counts, warningCount } = result
    return {
      stored,
      counts: { items: counts.item, purchases: counts.purchase },
      warnings: warningCount,
      // Every import of sales has one.
      outcome: result.sales as SalesOutcome,
    }
  }

  return {
    importRecords: (call) => alone(call.owner.account.id, () => run(call)),
    previewSales: (call) => alone(call.owner.account.id, () => preview(call)),
    importSales: (call) => alone(call.owner.account.id, () => runSales(call)),
  } satisfies Partial<Handlers>
}
