import type { RecordIssue } from '@saleproof/schema/records'
import type { Sql } from '../db/sql.ts'
import type { OwnRecords } from '../domain/imports.ts'
import { omitted } from '../records/columns.ts'
import type { RecordType } from '../records/tables.ts'
import type { Dialect } from './dialect.ts'
import type { LineIssues } from './problems.ts'
import { type Staged, selectEach, stagedTypes } from './staged.ts'

/** A rule between records: a query that gives the lines that break it. */
interface Rule {
  type: RecordType
  field: string
  issue: RecordIssue
  lines: string
  /** Whether the lines are stored all the same. */
  isWarning?: true
}

interface RulesOptions {
  own: OwnRecords | undefined
  /** Whether each line that breaks a rule is wanted. */
  every: boolean
}

const storedKey = ({ main }: Dialect) => `${main}"ApiKey" d ON d."keyHash" = s."keyHash"`

function rulesOfOwners({ main, staging }: Dialect): readonly Rule[] {
  return [
    {
      type: 'workspace',
      field: 'owner',
      issue: 'unknown_account',
      lines: `SELECT s."line" FROM ${staging}workspace s
        WHERE NOT EXISTS (SELECT 1 FROM ${main}"Account" d WHERE d."username" = s."owner")
        AND NOT EXISTS (SELECT 1 FROM ${staging}account e WHERE e."username" = s."owner" AND e."line" < s."line")`,
    },
    {
      type: 'workspace',
      field: 'owner',
      issue: 'other_account',
      lines: `SELECT s."line" FROM ${staging}workspace s JOIN ${main}"Workspace" d ON d."slug" = s."slug"
        JOIN ${main}"Account" a ON a."id" = d."accountId" WHERE a."username" <> s."owner"`,
    },
  ]
}

function rulesOfWorkspaces(dialect: Dialect, { own, every }: RulesOptions): readonly Rule[] {
  const { main, staging } = dialect
  const unknown = (type: 'item' | 'api_key') => `SELECT s."line" FROM ${staging}${type} s
    WHERE NOT EXISTS (SELECT 1 FROM ${main}"Workspace" d WHERE d."slug" = s."workspace")
    AND NOT EXISTS (SELECT 1 FROM ${staging}workspace e WHERE e."slug" = s."workspace" AND e."line" < s."line")`
  const other = (
    type: 'item' | 'api_key',
    stored: string,
  ) => `SELECT s."line" FROM ${staging}${type} s JOIN ${stored}
    JOIN ${main}"Workspace" w ON w."id" = d."workspaceId" WHERE w."slug"`
  const storedItem = other('item', `${main}"Item" d ON d."id" = s."id"`)
  const rules: Rule[] = [
    { type: 'item', field: 'workspace', issue: 'unknown_workspace', lines: unknown('item') },
    { type: 'api_key', field: 'workspace', issue: 'unknown_workspace', lines: unknown('api_key') },
    {
      type: 'item',
      field: 'workspace',
      issue: 'other_workspace',
      // What a sales file creates takes the place of none that is stored meanwhile.
      lines: `${storedItem} ${every ? 'IS NOT NULL' : '<> s."workspace"'}`,
    },
    {
      type: 'api_key',
      field: 'workspace',
      issue: 'other_workspace',
      lines: `${other('api_key', storedKey(dialect))} <> s."workspace"`,
    },
  ]
  if (own?.onlyNew)
    rules.push({ type: 'item', field: 'id', issue: 'already_stored', lines: `${storedItem} = s."workspace"` })
  return rules
}

/** On any line, unlike what records of other types refer to: an export sorts keys by their names. */
function rulesOfRotations({ main, staging }: Dialect): readonly Rule[] {
  return [
    {
      type: 'api_key',
      field: 'replaces',
      issue: 'key_replaces',
      lines: `SELECT s."line" FROM ${staging}api_key s WHERE s."replacesId" = s."keyHash" OR s."replacesId" <> '${omitted}'
        AND NOT EXISTS (SELECT 1 FROM ${main}"ApiKey" d JOIN ${main}"Workspace" w ON w."id" = d."workspaceId"
          WHERE d."keyHash" = s."replacesId" AND w."slug" = s."workspace")
        AND NOT EXISTS (SELECT 1 FROM ${staging}api_key e
          WHERE e."keyHash" = s."replacesId" AND e."workspace" = s."workspace")`,
    },
  ]
}

/** Sold items as `s`; with `every`, each purchase of them. Else their first one stands for all: thousands may follow. */
const soldLines = ({ staging }: Dialect, every: boolean) =>
  every
    ? `SELECT p."line" FROM ${staging}purchase p JOIN ${staging}sold_item s ON s."itemId" = p."itemId"`
    : `SELECT s."line" FROM ${staging}sold_item s`

function rulesOfItems(dialect: Dialect, { own, every }: RulesOptions): readonly Rule[] {
  const { main, staging, orderedJoin, elements } = dialect
  const itemId = 'CAST(e.value AS bigint)'
  const inKeysWorkspace = `EXISTS (SELECT 1 FROM ${main}"Item" d JOIN ${main}"Workspace" w ON w."id" = d."workspaceId"
      WHERE d."id" = ${itemId} AND w."slug" = s."workspace")
    OR EXISTS (SELECT 1 FROM ${staging}item i
      WHERE i."id" = ${itemId} AND i."workspace" = s."workspace" AND i."line" < s."line")`
  const storedPurchase = `SELECT s."line" FROM ${staging}purchase s
    ${orderedJoin} ${staging}sold_item w ON w."itemId" = s."itemId"
    JOIN ${main}"Purchase" d ON d."workspaceId" = w."workspaceId" AND d."code" = s."code" WHERE TRUE`
  return [
    {
      type: 'api_key',
      field: 'items',
      issue: 'key_items',
      lines: `SELECT DISTINCT s."line" FROM ${staging}api_key s CROSS JOIN ${elements('s."items"')}
        WHERE NOT (${inKeysWorkspace})`,
    },
    {
      type: 'api_key',
      field: 'items',
      issue: 'key_secret',
      lines: `SELECT s."line" FROM ${staging}api_key s LEFT JOIN ${storedKey(dialect)}
        WHERE NOT coalesce(s."publishable", d."publishable", FALSE) AND CASE WHEN s."items" IS NULL THEN
          EXISTS (SELECT 1 FROM ${main}"ApiKeyItem" b WHERE b."workspaceId" = d."workspaceId" AND b."keyId" = d."id")
          ELSE s."items" <> '[]' END`,
    },
    {
      type: 'purchase',
      field: 'item',
      issue: 'unknown_item',
      lines: `${soldLines(dialect, every)}
        WHERE NOT EXISTS (SELECT 1 FROM ${main}"Item" d JOIN ${main}"Workspace" w ON w."id" = d."workspaceId"
          WHERE d."id" = s."itemId" AND w."slug" = s."slug")
        AND NOT EXISTS (SELECT 1 FROM ${staging}item e WHERE e."id" = s."itemId" AND e."line" < s."line")`,
    },
    {
      type: 'purchase',
      ...(own?.onlyNew
        ? { field: 'purchase_code', issue: 'already_stored', lines: storedPurchase }
        : { field: 'item', issue: 'other_item', lines: `${storedPurchase} AND d."itemId" <> s."itemId"` }),
    },
  ]
}

function warnings(dialect: Dialect): readonly Rule[] {
  const stored = `SELECT s."line" FROM ${dialect.staging}api_key s JOIN ${storedKey(dialect)}`
  return [
    {
      type: 'api_key',
      field: 'revoked_at',
      issue: 'key_stays_revoked',
      lines: `${stored} WHERE s."revokedAt" IS NULL AND d."revokedAt" IS NOT NULL`,
      isWarning: true,
    },
    {
      type: 'api_key',
      field: 'publishable',
      issue: 'key_made_secret',
      lines: `${stored} WHERE NOT s."publishable" AND d."publishable"`,
      isWarning: true,
    },
  ]
}

/** Rules between a record and those on earlier lines or in the database. */
const createRules = (dialect: Dialect, options: RulesOptions) => [
  ...rulesOfOwners(dialect),
  ...rulesOfWorkspaces(dialect, options),
  ...rulesOfRotations(dialect),
  ...rulesOfItems(dialect, options),
  ...warnings(dialect),
]

/** Columns of the workspace of a sold item `s`: it is stored, or to be stored by this file. */
const workspaceOfSold = (
  { main, staging }: Dialect,
  columns: string,
  condition: string,
) => `(SELECT ${columns}
    FROM (SELECT s."itemId" AS "itemId") i LEFT JOIN ${main}"Item" d ON d."id" = i."itemId"
    LEFT JOIN ${main}"Workspace" w ON w."id" = d."workspaceId" ${condition}
    LEFT JOIN ${staging}item e ON e."id" = i."itemId" ORDER BY e."line" LIMIT 1)`

const soldSlug = 'coalesce(w."slug", e."workspace")'

const soldWorkspaceId = ({ main }: Dialect) =>
  `coalesce(w."id", (SELECT f."id" FROM ${main}"Workspace" f WHERE f."slug" = e."workspace"))`

/**
 * Finds the items that are sold, and the workspace of each, as far as it is stored by now. With `own` items of other owners are as unknown
 * as those of no owner.
 */
export async function findSoldItems(sql: Sql, dialect: Dialect, own?: OwnRecords) {
  const { staging, analyse } = dialect
  const sold = `${staging}sold_item`
  const find = (columns: string) => workspaceOfSold(dialect, columns, own ? 'AND w."slug" = $1' : '')
  await sql.run(`DELETE FROM ${sold}`)
  await sql.run(
    `INSERT INTO ${sold} ("itemId", "line", "slug", "workspaceId") SELECT s."itemId", min(s."line"),
      ${find(soldSlug)}, ${find(soldWorkspaceId(dialect))} FROM ${staging}purchase s GROUP BY s."itemId"`,
    ...(own ? [own.workspace] : []),
  )
  if (analyse) await sql.run(analyse(sold))
}

/** Reports the lines that break rules. */
export async function applyRules(sql: Sql, staged: Staged, lineIssues: LineIssues, own?: OwnRecords) {
  const types = stagedTypes(staged)
  const rules = createRules(staged, { own, every: lineIssues.sales !== undefined })
  const found = rules.filter(({ type }) => types.includes(type))
  const room = `LIMIT ${lineIssues.room()}`
  const queries = found.map(({ lines, isWarning }) => `${lines} ORDER BY 1 ${isWarning ? '' : room}`)
  await selectEach<{ line: number }>(sql, queries, (rows, index) => {
    const rule = found[index]
    if (!rule) return
    const { field, issue, isWarning } = rule
    for (const { line } of rows) lineIssues[isWarning ? 'warning' : 'problem']({ line, field, issue })
  })
}
