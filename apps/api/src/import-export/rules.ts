import type { RecordIssue } from '@saleproof/schema/records'
import { type SqlSteps, select } from '../db/sql-steps.ts'
import { leftOut } from '../records/columns.ts'
import type { Dialect } from './dialect.ts'
import type { LineIssues } from './problems.ts'

/** A rule between records: a query that gives the lines that break it. */
interface Rule {
  field: string
  issue: RecordIssue
  lines: string
}

const storedKey = ({ main }: Dialect) => `${main}"ApiKey" d ON d."keyHash" = s."keyHash"`

function rulesOfOwners({ main, staging }: Dialect): readonly Rule[] {
  return [
    {
      field: 'owner',
      issue: 'unknown_account',
      lines: `SELECT s."line" FROM ${staging}workspace s
        WHERE NOT EXISTS (SELECT 1 FROM ${main}"Account" d WHERE d."username" = s."owner")
        AND NOT EXISTS (SELECT 1 FROM ${staging}account e WHERE e."username" = s."owner" AND e."line" < s."line")`,
    },
    {
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
    { field: 'workspace', issue: 'unknown_workspace', lines: unknown('item') },
    { field: 'workspace', issue: 'unknown_workspace', lines: unknown('api_key') },
    { field: 'workspace', issue: 'other_workspace', lines: other('item', storedItem) },
    { field: 'workspace', issue: 'other_workspace', lines: other('api_key', storedKey(dialect)) },
  ]
}

/** On any line, unlike what records of other types refer to: an export sorts keys by their names. */
function rulesOfRotations({ main, staging }: Dialect): readonly Rule[] {
  return [
    {
      field: 'replaces',
      issue: 'key_replaces',
      lines: `SELECT s."line" FROM ${staging}api_key s WHERE s."replacesId" = s."keyHash" OR s."replacesId" <> '${leftOut}'
        AND NOT EXISTS (SELECT 1 FROM ${main}"ApiKey" d JOIN ${main}"Workspace" w ON w."id" = d."workspaceId"
          WHERE d."keyHash" = s."replacesId" AND w."slug" = s."workspace")
        AND NOT EXISTS (SELECT 1 FROM ${staging}api_key e
          WHERE e."keyHash" = s."replacesId" AND e."workspace" = s."workspace")`,
    },
  ]
}

function rulesOfItems(dialect: Dialect): readonly Rule[] {
  const { main, staging, orderedJoin } = dialect
  const inKeysWorkspace = `EXISTS (SELECT 1 FROM ${main}"Item" d JOIN ${main}"Workspace" w ON w."id" = d."workspaceId"
      WHERE d."id" = b."itemId" AND w."slug" = s."workspace")
    OR EXISTS (SELECT 1 FROM ${staging}item e
      WHERE e."id" = b."itemId" AND e."workspace" = s."workspace" AND e."line" < s."line")`
  return [
    {
      field: 'items',
      issue: 'key_items',
      lines: `SELECT DISTINCT s."line" FROM ${staging}api_key s JOIN ${staging}bound_item b ON b."line" = s."line"
        WHERE NOT (${inKeysWorkspace})`,
    },
    {
      field: 'items',
      issue: 'key_secret',
      lines: `SELECT s."line" FROM ${staging}api_key s LEFT JOIN ${storedKey(dialect)}
        WHERE NOT coalesce(s."publishable", d."publishable", FALSE) AND CASE WHEN s."items" IS NULL THEN
          EXISTS (SELECT 1 FROM ${main}"ApiKeyItem" b WHERE b."workspaceId" = d."workspaceId" AND b."keyId" = d."id")
          ELSE s."items" <> '[]' END`,
    },
    {
      // Reported for the first purchase of the item only: with its item missing, thousands may follow.
      field: 'item',
      issue: 'unknown_item',
      lines: `SELECT s."line" FROM ${staging}sold_item s
        WHERE NOT EXISTS (SELECT 1 FROM ${main}"Item" d WHERE d."id" = s."itemId")
        AND NOT EXISTS (SELECT 1 FROM ${staging}item e WHERE e."id" = s."itemId" AND e."line" < s."line")`,
    },
    {
      field: 'item',
      issue: 'other_item',
      lines: `SELECT s."line" FROM ${staging}purchase s ${orderedJoin} ${staging}sold_item w ON w."itemId" = s."itemId"
        JOIN ${main}"Purchase" d ON d."workspaceId" = w."workspaceId" AND d."code" = s."code"
        WHERE d."itemId" <> s."itemId"`,
    },
  ]
}

/** Rules between a record and those on earlier lines or in the database. */
const rulesOf = (dialect: Dialect) => [
  ...rulesOfOwners(dialect),
  ...rulesOfWorkspaces(dialect),
  ...rulesOfRotations(dialect),
  ...rulesOfItems(dialect),
]

const warningsOf = (dialect: Dialect): readonly Rule[] => [
  {
    field: 'revoked_at',
    issue: 'key_stays_revoked',
    lines: `SELECT s."line" FROM ${dialect.staging}api_key s JOIN ${storedKey(dialect)}
      WHERE s."revokedAt" IS NULL AND d."revokedAt" IS NOT NULL`,
  },
  {
    field: 'publishable',
    issue: 'key_made_secret',
    lines: `SELECT s."line" FROM ${dialect.staging}api_key s JOIN ${storedKey(dialect)}
      WHERE NOT s."publishable" AND d."publishable"`,
  },
]

/** The workspace of each item that is sold: stored, or to be stored by this file. */
export function* resolveWorkspaces({ main, staging, analyse }: Dialect): SqlSteps<void> {
  yield `UPDATE ${staging}sold_item AS s SET ("slug", "workspaceId") = (
    SELECT coalesce(w."slug", e."workspace"),
      coalesce(w."id", (SELECT f."id" FROM ${main}"Workspace" f WHERE f."slug" = e."workspace"))
    FROM (SELECT s."itemId" AS "itemId") i LEFT JOIN ${main}"Item" d ON d."id" = i."itemId"
    LEFT JOIN ${main}"Workspace" w ON w."id" = d."workspaceId"
    LEFT JOIN ${staging}item e ON e."id" = i."itemId" LIMIT 1)`
  if (analyse) yield analyse(`${staging}sold_item`)
}

export function* applyRules(dialect: Dialect, lineIssues: LineIssues): SqlSteps<void> {
  for (const { field, issue, lines } of rulesOf(dialect)) {
    const rows = yield* select<{ line: number }>(`${lines} ORDER BY 1 LIMIT ${lineIssues.room()}`)
    for (const { line } of rows) lineIssues.problem({ line, field, issue })
  }
  for (const { field, issue, lines } of warningsOf(dialect)) {
    const rows = yield* select<{ line: number }>(`${lines} ORDER BY 1`)
    for (const { line } of rows) lineIssues.warning({ line, field, issue })
  }
}
