import { boundItems } from '../records/api-key.ts'
import { omitted } from '../records/columns.ts'
import type { RecordField } from '../records/table.ts'
import { byType, type RecordType, recordTables } from '../records/tables.ts'
import type { Dialect } from './dialect.ts'

/** How the staged records of a type become rows. In the expressions `s` is what was given and `d` what is stored, if it is. */
interface Upsert {
  table: string
  from: string
  /** A column that has a value in every stored row. */
  stored: string
  /** The columns that find the stored row. */
  identity: readonly string[]
  /** Columns that are written once. */
  fixed: Readonly<Record<string, string>>
  /** Columns that a record may change. */
  changing: Readonly<Record<string, string>>
  /** Those of them that hold JSON: they are compared as texts. */
  json: ReadonlySet<string>
}

/** The same with what says that a stored row is changed, and a query that gives for every staged record the row as it shall be. */
export interface PlannedUpsert extends Upsert {
  changed: string
  planned: string
}

export type Upserts = Readonly<Record<RecordType, PlannedUpsert>>

/** Stored rows keep their ids. */
const keptId = 'coalesce(d."id", s."id")'

const or = (fallback: string, choices: readonly (readonly [when: string, then: string])[]) =>
  choices.length
    ? `CASE ${choices.map(([when, then]) => `WHEN ${when} THEN ${then}`).join(' ')} ELSE ${fallback} END`
    : fallback

/** A revocation is never undone or delayed: the earlier of two dates is stored. */
const revokedAt = ({ timestamp, second, earlier }: Dialect) => {
  const given = timestamp('s."revokedAt"')
  return or(earlier(given, 'd."revokedAt"'), [
    [`s."revokedAt" IS NULL`, 'd."revokedAt"'],
    [`s."revokedAt" = '${omitted}'`, 'd."revokedAt"'],
    [`${second('d."revokedAt"')} = ${second(given)}`, 'd."revokedAt"'],
    ['d."revokedAt" IS NULL', given],
  ])
}

/** The key of a hash: stored, or of this file. */
const replacesId = ({ main, staging }: Dialect) =>
  or(
    `coalesce((SELECT k."id" FROM ${main}"ApiKey" k WHERE k."keyHash" = s."replacesId"),
      (SELECT e."id" FROM ${staging}api_key e WHERE e."keyHash" = s."replacesId"))`,
    [
      [`s."replacesId" IS NULL`, 'NULL'],
      [`s."replacesId" = '${omitted}'`, 'd."replacesId"'],
    ],
  )

/** A refund that the file brings to a stored sale happens now. When one of a new sale happened is not known. */
const refundedAt = (dialect: Dialect) => {
  const given = dialect.timestamp('s."refundedAt"')
  return or(given, [
    [`coalesce(s."state", CAST(d."state" AS text), 'active') <> 'refunded'`, 'NULL'],
    [`s."refundedAt" = '${omitted}' AND d."state" = 'refunded'`, 'd."refundedAt"'],
    [`s."refundedAt" = '${omitted}' AND d."state" IS NULL`, 'NULL'],
    [`s."refundedAt" = '${omitted}'`, dialect.timestamp('s."importedAt"')],
    [`${dialect.second('d."refundedAt"')} = ${dialect.second(given)}`, 'd."refundedAt"'],
  ])
}

/** Fields that hold one thing: minor units are those of the currency. */
const price = ['price', 'currency']

/** Whether the field of a stored purchase was edited. One that was removed since that was staged has nothing to keep. */
function isEdited({ path }: RecordField): string {
  const names = (price.includes(path) ? price : [path]).map((name) => `s."edited" LIKE '%,${name},%'`)
  return `s."edited" IS NOT NULL AND d."code" IS NOT NULL AND (${names.join(' OR ')})`
}

const literal = (value: unknown) => (typeof value === 'boolean' ? String(value).toUpperCase() : `'${value}'`)

/** What a record changes a column to. */
function changedValue(dialect: Dialect, type: RecordType, field: RecordField): string {
  if (field.column === 'revokedAt') return revokedAt(dialect)
  if (field.column === 'replacesId') return replacesId(dialect)
  if (field.column === 'refundedAt') return refundedAt(dialect)
  const given = `s."${field.column}"`
  const stored = `d."${field.column}"`
  const value = dialect.valueOf(field, given)
  const unchanged: [when: string, then: string][] = []
  if (type === 'purchase') unchanged.push([isEdited(field), stored])
  if (field.default !== undefined)
    return or(`coalesce(${value}, ${stored}, ${literal(field.default)})`, unchanged)
  if (field.nullable && field.ifOmitted === 'keep') unchanged.push([`${given} = '${omitted}'`, stored])
  // What is stored to the millisecond is not changed by a file that says the same second.
  if (field.storage === 'timestamp')
    unchanged.push([`${dialect.second(stored)} = ${dialect.second(value)}`, stored])
  return or(value, unchanged)
}

/** Most rows are found by their id. The database gives a workspace its own. */
type Written = Pick<Upsert, 'from' | 'fixed'> & Partial<Pick<Upsert, 'identity'>>

const given = (...columns: string[]) => Object.fromEntries(columns.map((column) => [column, `s."${column}"`]))

/** How the rows of each type are found, and what is written once. */
function writtenOnce({
  main,
  staging,
  orderedJoin,
  timestamp,
}: Dialect): Readonly<Record<RecordType, Written>> {
  const createdAt = timestamp('s."createdAt"')
  return {
    account: {
      from: `${staging}account s LEFT JOIN ${main}"Account" d ON d."username" = s."username"`,
      fixed: { id: keptId, ...given('username') },
    },
    workspace: {
      from: `${staging}workspace s LEFT JOIN ${main}"Workspace" d ON d."slug" = s."slug"
        LEFT JOIN ${main}"Account" a ON a."username" = s."owner"`,
      identity: ['slug'],
      fixed: { accountId: 'a."id"', ...given('slug'), createdAt },
    },
    item: {
      from: `${staging}item s LEFT JOIN ${main}"Item" d ON d."id" = s."id"
        LEFT JOIN ${main}"Workspace" w ON w."slug" = s."workspace"`,
      fixed: { ...given('id'), workspaceId: 'w."id"' },
    },
    api_key: {
      from: `${staging}api_key s LEFT JOIN ${main}"ApiKey" d ON d."keyHash" = s."keyHash"
        LEFT JOIN ${main}"Workspace" w ON w."slug" = s."workspace"`,
      fixed: { id: keptId, workspaceId: 'w."id"', ...given('keyHash', 'keyCipher'), createdAt },
    },
    purchase: {
      from: `${staging}purchase s ${orderedJoin} ${staging}sold_item w ON w."itemId" = s."itemId"
        LEFT JOIN ${main}"Purchase" d ON d."workspaceId" = w."workspaceId" AND d."code" = s."code"`,
      identity: ['workspaceId', 'code'],
      fixed: { workspaceId: 'w."workspaceId"', ...given('code', 'itemId') },
    },
  }
}

/** By type, in the order in which they are written: what a row refers to comes first. */
export function createUpserts(dialect: Dialect): Upserts {
  const written = writtenOnce(dialect)
  const planUpsert = (type: RecordType): PlannedUpsert => {
    const { name, fields, identity } = recordTables[type]
    const changing = fields.flatMap((field) =>
      field.column === undefined || field.column in written[type].fixed
        ? []
        : { ...field, column: field.column },
    )
    const upsert: Upsert = {
      identity: ['id'],
      stored: `d."${identity.column}"`,
      ...written[type],
      table: name,
      changing: Object.fromEntries(
        changing.map((field) => [field.column, changedValue(dialect, type, field)]),
      ),
      json: new Set(changing.filter(({ storage }) => storage === 'json').map(({ column }) => column)),
    }
    const changed = changedRows(dialect, type, upsert)
    return { ...upsert, changed, planned: plannedRows(upsert, changed) }
  }
  return byType(planUpsert)
}

function changedRows({ main }: Dialect, type: RecordType, { stored, changing, json }: Upsert): string {
  const before = Object.keys(changing).map((name) =>
    json.has(name) ? `CAST(d."${name}" AS text)` : `d."${name}"`,
  )
  const differs = `(${before.join(', ')}) IS DISTINCT FROM (${Object.values(changing).join(', ')})`
  const itemsDiffer = `(s."items" IS NOT NULL AND s."items" <> ${boundItems(`${main}"ApiKeyItem"`, 'd')})`
  return `${stored} IS NOT NULL AND (${differs}${type === 'api_key' ? ` OR ${itemsDiffer}` : ''})`
}

function plannedRows({ from, stored, fixed, changing }: Upsert, changed: string): string {
  const columns = Object.entries({ ...fixed, ...changing }).map(
    ([name, expression]) => `${expression} AS "${name}"`,
  )
  return `SELECT s."line", ${stored} IS NULL AS "created", ${changed} AS "changed",
    ${columns.join(', ')} FROM ${from}`
}
