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

function rulesOfWorkspaces(dialect: Dialect): readonly Rule[] {
  const { main, staging } = dialect
  const unknown = (type: 'item' | 'api_key') => `SELECT s."line" FROM ${staging}${type} s
    WHERE NOT EXISTS (SELECT 1 FROM ${main}"Workspace" d WHERE d."slug" = s."workspace")
    AND NOT EXISTS (SELECT 1 FROM ${staging}workspace e WHERE e."slug" = s."workspace" AND e."line" < s."line")`
  const other = (
    type: 'item' | 'api_key',
    stored: string,
  ) => `SELECT s."line" FROM ${staging}${type} s JOIN ${stored}
    JOIN ${main}"Workspace" w ON w."id" = d."workspaceId" WHERE w."slug" <> s."workspace"`
  const storedItem = `${main}"Item" d ON d."id" = s."id"`
  return [
    { type: 'item', field: 'workspace', issue: 'unknown_workspace', lines: unknown('item') },
    { type: 'api_key', field: 'workspace', issue: 'unknown_workspace', lines: unknown('api_key') },
    { type: 'item', field: 'workspace', issue: 'other_workspace', lines: other('item', storedItem) },
    {
      type: 'api_key',
      field: 'workspace',
      issue: 'other_workspace',
      lines: other('api_key', storedKey(dialect)),
    },
  ]
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

function rulesOfItems(dialect: Dialect, every: boolean): readonly Rule[] {
  const { main, staging, orderedJoin, elements } = dialect
  const itemId = 'CAST(e.value AS bigint)'
  const inKeysWorkspace = `EXISTS (SELECT 1 FROM ${main}"Item" d JOIN ${main}"Workspace" w ON w."id" = d."workspaceId"
      WHERE d."id" = ${itemId} AND w."slug" = s."workspace")
    OR EXISTS (SELECT 1 FROM ${staging}item i
      WHERE i."id" = ${itemId} AND i."workspace" = s."workspace" AND i."line" < s."line")`
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
        WHERE NOT EXISTS (SELECT 1 FROM ${main}"Item" d WHERE d."id" = s."itemId")
        AND NOT EXISTS (SELECT 1 FROM ${staging}item e WHERE e."id" = s."itemId" AND e."line" < s."line")`,
    },
    {
      type: 'purchase',
      field: 'item',
      issue: 'other_item',
      lines: `SELECT s."line" FROM ${staging}purchase s ${orderedJoin} ${staging}sold_item w ON w."itemId" = s."itemId"
        JOIN ${main}"Purchase" d ON d."workspaceId" = w."workspaceId" AND d."code" = s."code"
        WHERE d."itemId" <> s."itemId"`,
    },
  ]
}

/** Rules between a record and those on earlier lines or in the database. */
const rulesOf = (dialect: Dialect, every: boolean) => [
  ...rulesOfOwners(dialect),
  ...rulesOfWorkspaces(dialect),
  ...rulesOfRotations(dialect),
  ...rulesOfItems(dialect, every),
]

/** Rules for the records of one workspace, whose slug is `$1`. */
function rulesOfOwn(dialect: Dialect, { onlyNew }: OwnRecords, every: boolean): readonly Rule[] {
  const { main, staging } = dialect
  const id = `(SELECT o."id" FROM ${main}"Workspace" o WHERE o."slug" = $1)`
  const storedItem = `SELECT s."line" FROM ${staging}item s JOIN ${main}"Item" d ON d."id" = s."id"`
  const rules: readonly Rule[] = [
    {
      type: 'item',
      field: 'workspace',
      issue: 'other_workspace',
      // What a sales file creates takes the place of none that is stored meanwhile. PostgreSQL takes no parameter that is not used.
      lines: `${storedItem} WHERE ${every ? 'TRUE OR ' : ''}d."workspaceId" <> ${id}`,
    },
    {
      // In the same words, whether another owner or no owner has such an item.
      type: 'purchase',
      field: 'item',
      issue: 'unknown_item',
      lines: `${soldLines(dialect, every)}
        WHERE NOT EXISTS (SELECT 1 FROM ${main}"Item" d WHERE d."id" = s."itemId" AND d."workspaceId" = ${id})
        AND NOT EXISTS (SELECT 1 FROM ${staging}item e WHERE e."id" = s."itemId")`,
    },
  ]
  if (!onlyNew) return rules
  return [
    ...rules,
    {
      type: 'item',
      field: 'id',
      issue: 'already_stored',
      lines: `${storedItem} WHERE d."workspaceId" = ${id}`,
    },
    {
      type: 'purchase',
      field: 'purchase_code',
      issue: 'already_stored',
      lines: `SELECT s."line" FROM ${staging}purchase s
        JOIN ${main}"Purchase" d ON d."workspaceId" = ${id} AND d."code" = s."code"`,
    },
  ]
}

const warningsOf = (dialect: Dialect): readonly Rule[] => [
  {
    type: 'api_key',
    field: 'revoked_at',
    issue: 'key_stays_revoked',
    lines: `SELECT s."line" FROM ${dialect.staging}api_key s JOIN ${storedKey(dialect)}
      WHERE s."revokedAt" IS NULL AND d."revokedAt" IS NOT NULL`,
  },
  {
    type: 'api_key',
    field: 'publishable',
    issue: 'key_made_secret',
    lines: `SELECT s."line" FROM ${dialect.staging}api_key s JOIN ${storedKey(dialect)}
      WHERE NOT s."publishable" AND d."publishable"`,
  },
]

/** Columns of the workspace of a sold item `s`: it is stored, or to be stored by this file. */
const workspaceOfSold = ({ main, staging }: Dialect, columns: string) => `(SELECT ${columns}
    FROM (SELECT s."itemId" AS "itemId") i LEFT JOIN ${main}"Item" d ON d."id" = i."itemId"
    LEFT JOIN ${main}"Workspace" w ON w."id" = d."workspaceId"
    LEFT JOIN ${staging}item e ON e."id" = i."itemId" ORDER BY e."line" LIMIT 1)`

const soldSlug = 'coalesce(w."slug", e."workspace")'

const soldWorkspaceId = ({ main }: Dialect) =>
  `coalesce(w."id", (SELECT f."id" FROM ${main}"Workspace" f WHERE f."slug" = e."workspace"))`

/** Finds the items that are sold, and the workspace of each, as far as it is stored by now. */
export async function findSoldItems(sql: Sql, dialect: Dialect) {
  const { staging, analyse } = dialect
  const sold = `${staging}sold_item`
  await sql.run(`DELETE FROM ${sold}`)
  await sql.run(`INSERT INTO ${sold} ("itemId", "line", "slug", "workspaceId") SELECT s."itemId", min(s."line"),
    ${workspaceOfSold(dialect, soldSlug)}, ${workspaceOfSold(dialect, soldWorkspaceId(dialect))}
    FROM ${staging}purchase s GROUP BY s."itemId"`)
  if (analyse) await sql.run(analyse(sold))
}

export async function applyOwnRules(sql: Sql, staged: Staged, own: OwnRecords, lineIssues: LineIssues) {
  const types = stagedTypes(staged)
  const rules = rulesOfOwn(staged, own, lineIssues.sales !== undefined).filter(({ type }) =>
    types.includes(type),
  )
  const queries = rules.map(({ lines }) => `${lines} ORDER BY 1 LIMIT ${lineIssues.room()}`)
  function report(rows: readonly { line: number }[], index: number) {
    const rule = rules[index]
    if (rule) for (const { line } of rows) lineIssues.problem({ line, field: rule.field, issue: rule.issue })
  }
  await selectEach(sql, queries, report, own.workspace)
}

export async function applyRules(sql: Sql, staged: Staged, lineIssues: LineIssues) {
  const types = stagedTypes(staged)
  const ofRecords = ({ type }: Rule) => types.includes(type)
  const rules = rulesOf(staged, lineIssues.sales !== undefined).filter(ofRecords)
  const warnings = warningsOf(staged).filter(ofRecords)
  const queries = [
    ...rules.map(({ lines }) => `${lines} ORDER BY 1 LIMIT ${lineIssues.room()}`),
    ...warnings.map(({ lines }) => `${lines} ORDER BY 1`),
  ]
  await selectEach<{ line: number }>(sql, queries, (rows, index) => {
    const rule = rules[index]
    const warning = warnings[index - rules.length]
    for (const { line } of rows) {
      if (rule) lineIssues.problem({ line, field: rule.field, issue: rule.issue })
      if (warning) lineIssues.warning({ line, field: warning.field, issue: warning.issue })
    }
  })
}
