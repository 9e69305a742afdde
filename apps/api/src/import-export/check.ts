import type { SalesOutcome } from '@saleproof/schema/console'
import type { Sql } from '../db/sql.ts'
import { addParts, billion, decimal } from '../domain/amounts.ts'
import { appendAudit } from '../domain/audit-log.ts'
import { addFirstKeys } from '../domain/signing-keys.ts'
import { stagedColumns } from '../records/columns.ts'
import { type RecordType, recordTables } from '../records/tables.ts'
import { copyStaged, countCreated, type ImportPlan, planImport, recordManually } from './copy.ts'
import type { Dialect } from './dialect.ts'
import { changeEvents, type ImportEvent, importEvent, keyEvents, recordedPurchase } from './events.ts'
import type { ImportTask } from './import.ts'
import type { LineIssues } from './problems.ts'
import { applyRules, findSoldItems } from './rules.ts'
import { type Staged, stagedTypes } from './staged.ts'

/** How many lines a statement removes. */
const maxRemoved = 5000

/** Ends an import with problems; of a sales file, removes the rows that have any. */
async function settle(sql: Sql, { staging }: Staged, lineIssues: LineIssues) {
  lineIssues.refuseIfAny()
  const removed = lineIssues.sales?.takeRemoved() ?? []
  for (let from = 0; from < removed.length; from += maxRemoved) {
    const lines = removed.slice(from, from + maxRemoved)
    await sql.run(`DELETE FROM ${staging}purchase WHERE "line" IN (${lines.join(', ')})`)
  }
}

/** The columns that the file gives: generated values differ between records with the same content. */
const content = (type: RecordType, alias: string) =>
  stagedColumns(recordTables[type])
    .flatMap(({ name, field }) => (field ? [`${alias}."${name}"`] : []))
    .join(', ')

/** The lines of records that an earlier line gave. Codes are unique in their workspace only. */
function duplicatesOf({ staging }: Dialect, type: RecordType): string {
  const { column } = recordTables[type].identity
  const [partition, join] =
    type === 'purchase'
      ? ['w."slug", s."code"', `JOIN ${staging}sold_item w ON w."itemId" = s."itemId"`]
      : [`s."${column}"`, '']
  const lines = `SELECT s."line", min(s."line") OVER (PARTITION BY ${partition}) AS "first" FROM ${staging}${type} s ${join}
    WHERE s."${column}" IN (SELECT "${column}" FROM ${staging}${type} GROUP BY "${column}" HAVING count(*) > 1)`
  return `SELECT r."line", r."first", (${content(type, 'a')}) IS DISTINCT FROM (${content(type, 'b')}) AS "differs" FROM (${lines}) r
    JOIN ${staging}${type} a ON a."line" = r."first" JOIN ${staging}${type} b ON b."line" = r."line"
    WHERE r."line" > r."first"`
}

/** Finds records given twice: those with the same content are dropped, of the others the later lines are reported. */
async function findDuplicates(sql: Sql, staged: Staged, lineIssues: LineIssues) {
  for (const type of stagedTypes(staged)) {
    if (staged.given[type] < 2) continue
    const duplicates = duplicatesOf(staged, type)
    const differing = await sql.query<{ line: number; first: number }>(
      `SELECT "line", "first" FROM (${duplicates}) r WHERE "differs" ORDER BY "line" LIMIT ${lineIssues.room()}`,
    )
    await sql.run(
      `DELETE FROM ${staged.staging}${type} WHERE "line" IN (SELECT "line" FROM (${duplicates}) r)`,
    )
    const { sales } = lineIssues
    const twice = sales?.twice ?? { field: recordTables[type].identity.field, issue: 'given_twice' }
    for (const { line, first } of differing) {
      lineIssues.problem({ line, ...twice, other: first })
      // Nothing says which of two rows of a shop is right.
      if (sales) lineIssues.problem({ line: first, ...twice, other: line })
    }
  }
}

/** The file of a shop takes back no field that was corrected by hand, or erased; a sale that ends does so in any case. */
function markEdited({ main, staging }: Staged): string {
  const edits = `FROM ${staging}sold_item w JOIN ${main}"PurchaseChange" c ON c."workspaceId" = w."workspaceId"
    WHERE w."itemId" = s."itemId" AND c."code" = s."code" AND c."fields" IS NOT NULL`
  return `UPDATE ${staging}purchase AS s SET "edited" = (SELECT ',' || string_agg(c."fields", ',') || ',' ${edits})
    WHERE EXISTS (SELECT 1 ${edits})`
}

/** Checks what is staged against what is stored, and says what writing it would do. */
export async function checkStaged(
  sql: Sql,
  staged: Staged,
  lineIssues: LineIssues,
  { own, shop }: Pick<ImportTask, 'own' | 'shop'>,
): Promise<ImportPlan> {
  await settle(sql, staged, lineIssues)
  if (staged.given.purchase) await findSoldItems(sql, staged, own)
  await applyRules(sql, staged, lineIssues, own)
  await findDuplicates(sql, staged, lineIssues)
  await settle(sql, staged, lineIssues)
  const plan = await planImport(sql, staged)
  if (!(lineIssues.sales || shop) || plan.counts.purchase.updated === 0) return plan
  await sql.run(markEdited(staged))
  return planImport(sql, staged)
}

type SumRow = Omit<SalesOutcome['sums'][number], 'amount'> & { kept: number; high: string; low: string }

/** What the staged sales come to, by currency and by the state that they have afterwards, and how many are active in the file alone. */
export async function sumSales(sql: Sql, { upserts }: Staged): Promise<Pick<SalesOutcome, 'sums' | 'kept'>> {
  const { from, changing } = upserts.purchase
  const price = `CAST(${changing.price} AS bigint)`
  const rows = await sql.query<SumRow>(
    `SELECT ${changing.currency} AS "currency", CAST(${changing.state} AS text) AS "state",
      CAST(count(*) AS integer) AS "sales",
      CAST(count(*) FILTER (WHERE s."state" IS NULL AND d."state" <> 'active') AS integer) AS "kept",
      CAST(sum(${price} / ${billion}) AS text) AS "high", CAST(sum(${price} % ${billion}) AS text) AS "low"
      FROM ${from} GROUP BY 1, 2 ORDER BY 1, 2`,
  )
  return {
    kept: rows.reduce((sum, { kept }) => sum + kept, 0),
    sums: rows.map(({ currency, state, sales, high, low }) => {
      return { currency, state, sales, amount: decimal(addParts(high, low), currency) }
    }),
  }
}

interface CopyOptions extends Pick<ImportTask, 'actor' | 'now' | 'manual' | 'sales' | 'shop' | 'vault'> {
  staged: Staged
}

/** Writes what was checked, and records it. */
export async function copyChecked(sql: Sql, plan: ImportPlan, options: CopyOptions) {
  const { staged, actor = 'cli', now } = options
  const { counts } = plan
  const at = now()
  const append = (event: ImportEvent) => appendAudit(sql, { at, actor, ...event })
  const isRecorded = options.manual && countCreated(counts) === 1
  const recorded = isRecorded ? await recordedPurchase(sql, staged) : undefined
  const changes = await changeEvents(sql, staged, counts)
  const entry = await append(recorded ?? importEvent(plan, options.sales ?? options.shop))
  // One after another: a hundred thousand at once need more memory than a thread has.
  for (const event of changes) await append(event)
  await copyStaged(sql, staged, counts, entry)
  if (counts.workspace.created) await addFirstKeys(sql, options.vault, at, staged.main)
  if (recorded) await sql.run(recordManually(staged), entry)
  if (counts.api_key.created) for (const event of await keyEvents(sql, staged)) await append(event)
}
