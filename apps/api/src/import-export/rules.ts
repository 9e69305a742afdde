import type { RecordIssue } from '@saleproof/schema/records'
import type { Sql } from '../db/sql.ts'
import type { OwnRecords } from '../domain/imports.ts'
import { omitted } from '../records/columns.ts'
import type { RecordType } from '../records/tables.ts'
import type { Dialect } from './dialect.ts'
import type { LineIssues } from './problems.ts'
import { type Staged, selectEach, stagedTypes } from './staged.ts'

/** A rule between a record and those on earlier lines or in the database. */
interface Rule {
  type: RecordType
  field: string
  issue: RecordIssue
  /** What is so of a record that breaks it. As in an upsert, `s` is what was given and `d` what is stored, if it is. */
  where: string
  /** Whether its line is stored all the same. */
  isWarning?: true
  /** Where `s` is not each record of the type. */
  from?: string
}

interface RulesOptions {
  own: OwnRecords | undefined
  /** Whether each line that breaks a rule is wanted. */
  every: boolean
}

/** Whose workspaces are, and of which workspace items and keys. */
function rulesOfOwners({ staging, upserts }: Staged, { own, every }: RulesOptions): readonly Rule[] {
  const isUnknown = (stored: string, type: RecordType, condition: string) => `${stored}."id" IS NULL
    AND NOT EXISTS (SELECT 1 FROM ${staging}${type} e WHERE ${condition} AND e."line" < s."line")`
  const isStored = 'd."id" IS NOT NULL'
  const unknownAccount = isUnknown('a', 'account', 'e."username" = s."owner"')
  const otherAccount = `${isStored} AND d."accountId" IS DISTINCT FROM a."id"`
  const unknownWorkspace = isUnknown('w', 'workspace', 'e."slug" = s."workspace"')
  const otherWorkspace = `${isStored} AND d."workspaceId" IS DISTINCT FROM w."id"`
  // What a sales file creates takes the place of none that is stored meanwhile.
  const otherItem = every ? isStored : otherWorkspace
  const rules: Rule[] = [
    { type: 'workspace', field: 'owner', issue: 'unknown_account', where: unknownAccount },
    { type: 'workspace', field: 'owner', issue: 'other_account', where: otherAccount },
    { type: 'item', field: 'workspace', issue: 'unknown_workspace', where: unknownWorkspace },
    { type: 'item', field: 'workspace', issue: 'other_workspace', where: otherItem },
    { type: 'api_key', field: 'workspace', issue: 'unknown_workspace', where: unknownWorkspace },
    { type: 'api_key', field: 'workspace', issue: 'other_workspace', where: otherWorkspace },
  ]
  const isBack = 's."withdrawnAt" IS NULL AND d."withdrawnAt" IS NOT NULL'
  const otherOwn = `d."workspaceId" = w."id" AND (${isBack} OR ${upserts.item.changed})`
  if (own?.onlyNew) rules.push({ type: 'item', field: 'id', issue: 'already_stored', where: otherOwn })
  return rules
}

function rulesOfKeys({ main, staging, elements }: Dialect): readonly Rule[] {
  const itemId = 'CAST(e.value AS bigint)'
  const inKeysWorkspace = `EXISTS (SELECT 1 FROM ${main}"Item" i JOIN ${main}"Workspace" o ON o."id" = i."workspaceId"
      WHERE i."id" = ${itemId} AND o."slug" = s."workspace")
    OR EXISTS (SELECT 1 FROM ${staging}item i
      WHERE i."id" = ${itemId} AND i."workspace" = s."workspace" AND i."line" < s."line")`
  const otherItems = `EXISTS (SELECT 1 FROM ${elements('s."items"')} WHERE NOT (${inKeysWorkspace}))`
  const boundSecret = `NOT coalesce(s."publishable", d."publishable", FALSE) AND CASE WHEN s."items" IS NULL THEN
    EXISTS (SELECT 1 FROM ${main}"ApiKeyItem" b WHERE b."workspaceId" = d."workspaceId" AND b."keyId" = d."id")
    ELSE s."items" <> '[]' END`
  // On any line, unlike what records of other types refer to: an export sorts keys by their names.
  const unknownKey = `s."replacesId" = s."keyHash" OR s."replacesId" <> '${omitted}'
    AND NOT EXISTS (SELECT 1 FROM ${main}"ApiKey" k JOIN ${main}"Workspace" o ON o."id" = k."workspaceId"
      WHERE k."keyHash" = s."replacesId" AND o."slug" = s."workspace")
    AND NOT EXISTS (SELECT 1 FROM ${staging}api_key e
      WHERE e."keyHash" = s."replacesId" AND e."workspace" = s."workspace")`
  const staysRevoked = 's."revokedAt" IS NULL AND d."revokedAt" IS NOT NULL'
  const madeSecret = 'NOT s."publishable" AND d."publishable"'
  return [
    { type: 'api_key', field: 'replaces', issue: 'key_replaces', where: unknownKey },
    { type: 'api_key', field: 'items', issue: 'key_items', where: otherItems },
    { type: 'api_key', field: 'items', issue: 'key_secret', where: boundSecret },
    {
      type: 'api_key',
      field: 'revoked_at',
      issue: 'key_stays_revoked',
      where: staysRevoked,
      isWarning: true,
    },
    { type: 'api_key', field: 'publishable', issue: 'key_made_secret', where: madeSecret, isWarning: true },
  ]
}

function rulesOfPurchases({ main, staging, upserts }: Staged, { own, every }: RulesOptions): readonly Rule[] {
  const unknownItem = `NOT EXISTS (SELECT 1 FROM ${main}"Item" i JOIN ${main}"Workspace" o ON o."id" = i."workspaceId"
      WHERE i."id" = s."itemId" AND o."slug" = s."slug")
    AND NOT EXISTS (SELECT 1 FROM ${staging}item e WHERE e."id" = s."itemId" AND e."line" < s."line")`
  // The first purchase of an item stands for all, of which there may be thousands.
  const sold = every
    ? `(SELECT p."line", i."itemId", i."slug" FROM ${staging}purchase p
        JOIN ${staging}sold_item i ON i."itemId" = p."itemId") s`
    : `${staging}sold_item s`
  const otherItem = 'd."itemId" <> s."itemId"'
  // A new sale without a state is an active one.
  const otherState = `CAST(d."state" AS text) <> coalesce(s."state", 'active')`
  const otherSale = `${otherItem} OR ${otherState} OR (${upserts.purchase.changed})`
  return [
    { type: 'purchase', field: 'item', issue: 'unknown_item', where: unknownItem, from: sold },
    own?.onlyNew
      ? { type: 'purchase', field: 'purchase_code', issue: 'already_stored', where: otherSale }
      : { type: 'purchase', field: 'item', issue: 'other_item', where: otherItem },
  ]
}

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
  const options = { own, every: lineIssues.sales !== undefined }
  const rules = [
    ...rulesOfOwners(staged, options),
    ...rulesOfKeys(staged),
    ...rulesOfPurchases(staged, options),
  ].filter(({ type }) => stagedTypes(staged).includes(type))
  const queries = rules.map(
    ({ type, where, isWarning, from = staged.upserts[type].from }) =>
      `SELECT s."line" FROM ${from} WHERE ${where} ORDER BY 1 ${isWarning ? '' : `LIMIT ${lineIssues.room()}`}`,
  )
  await selectEach<{ line: number }>(sql, queries, (rows, index) => {
    const rule = rules[index]
    if (!rule) return
    const { field, issue, isWarning } = rule
    for (const { line } of rows) lineIssues[isWarning ? 'warning' : 'problem']({ line, field, issue })
  })
}
