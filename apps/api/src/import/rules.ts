import type { IssueKey } from '@saleproof/schema'
import type { Findings } from './problems.ts'
import type { StagedDatabase } from './staging.ts'

/** A rule between records: a query that gives the lines that break it. */
interface Rule {
  member: string
  issue: IssueKey
  lines: string
}

const noWorkspace = `NOT EXISTS (SELECT 1 FROM main.Workspace d WHERE d.slug = s.workspace)
  AND NOT EXISTS (SELECT 1 FROM staging.workspace e WHERE e.slug = s.workspace AND e.line < s.line)`

const inKeysWorkspace = `EXISTS (SELECT 1 FROM main.Item d JOIN main.Workspace w ON w.id = d.workspaceId
    WHERE d.id = b.itemId AND w.slug = s.workspace)
  OR EXISTS (SELECT 1 FROM staging.item e WHERE e.id = b.itemId AND e.workspace = s.workspace AND e.line < s.line)`

const storedKey = 'main.ApiKey d ON d.keyHash = s.keyHash'

/** Rules between a record and those on earlier lines or in the database. */
const rules: readonly Rule[] = [
  {
    member: 'owner',
    issue: 'unknown_account',
    lines: `SELECT s.line FROM staging.workspace s
      WHERE NOT EXISTS (SELECT 1 FROM main.Account d WHERE d.username = s.owner)
      AND NOT EXISTS (SELECT 1 FROM staging.account e WHERE e.username = s.owner AND e.line < s.line)`,
  },
  {
    member: 'owner',
    issue: 'other_account',
    lines: `SELECT s.line FROM staging.workspace s JOIN main.Workspace d ON d.slug = s.slug
      JOIN main.Account a ON a.id = d.accountId WHERE a.username <> s.owner`,
  },
  {
    member: 'workspace',
    issue: 'unknown_workspace',
    lines: `SELECT s.line FROM staging.item s WHERE ${noWorkspace}`,
  },
  {
    member: 'workspace',
    issue: 'unknown_workspace',
    lines: `SELECT s.line FROM staging.api_key s WHERE ${noWorkspace}`,
  },
  {
    member: 'workspace',
    issue: 'other_workspace',
    lines: `SELECT s.line FROM staging.item s JOIN main.Item d ON d.id = s.id
      JOIN main.Workspace w ON w.id = d.workspaceId WHERE w.slug <> s.workspace`,
  },
  {
    member: 'workspace',
    issue: 'other_workspace',
    lines: `SELECT s.line FROM staging.api_key s JOIN ${storedKey}
      JOIN main.Workspace w ON w.id = d.workspaceId WHERE w.slug <> s.workspace`,
  },
  {
    member: 'items',
    issue: 'key_items',
    lines: `SELECT DISTINCT s.line FROM staging.api_key s JOIN staging.bound_item b ON b.line = s.line
      WHERE NOT (${inKeysWorkspace})`,
  },
  {
    member: 'items',
    issue: 'key_secret',
    lines: `SELECT s.line FROM staging.api_key s LEFT JOIN ${storedKey}
      WHERE coalesce(s.publishable, d.publishable, 0) = 0 AND CASE WHEN s.items IS NULL
        THEN EXISTS (SELECT 1 FROM main.ApiKeyItem b WHERE b.workspaceId = d.workspaceId AND b.keyId = d.id)
        ELSE s.items <> '[]' END`,
  },
  {
    // Told for the first purchase of the item only: with its item missing, thousands may follow.
    member: 'item',
    issue: 'unknown_item',
    lines: `SELECT s.line FROM staging.sold_item s WHERE NOT EXISTS (SELECT 1 FROM main.Item d WHERE d.id = s.itemId)
      AND NOT EXISTS (SELECT 1 FROM staging.item e WHERE e.id = s.itemId AND e.line < s.line)`,
  },
  {
    member: 'item',
    issue: 'other_item',
    lines: `SELECT s.line FROM staging.purchase s CROSS JOIN staging.sold_item w ON w.itemId = s.itemId
      JOIN main.Purchase d ON d.workspaceId = w.workspaceId AND d.code = s.code WHERE d.itemId <> s.itemId`,
  },
]

const warnings: readonly Rule[] = [
  {
    member: 'revoked_at',
    issue: 'key_stays_revoked',
    lines: `SELECT s.line FROM staging.api_key s JOIN ${storedKey}
      WHERE s.revokedAt IS NULL AND d.revokedAt IS NOT NULL`,
  },
  {
    member: 'publishable',
    issue: 'key_made_secret',
    lines: `SELECT s.line FROM staging.api_key s JOIN ${storedKey} WHERE s.publishable = 0 AND d.publishable = 1`,
  },
]

const linesOf = (db: StagedDatabase, { lines }: Rule) =>
  db.prepare<[], number>(`${lines} ORDER BY 1`).pluck().iterate()

/** The workspace of each item that is sold: stored, or to be stored by this file. */
export function findHomes(db: StagedDatabase) {
  db.exec(`UPDATE staging.sold_item AS s SET (slug, workspaceId) = (
    SELECT coalesce(w.slug, e.workspace), coalesce(w.id, (SELECT f.id FROM main.Workspace f WHERE f.slug = e.workspace))
    FROM (SELECT s.itemId AS itemId) i LEFT JOIN main.Item d ON d.id = i.itemId
    LEFT JOIN main.Workspace w ON w.id = d.workspaceId LEFT JOIN staging.item e ON e.id = i.itemId LIMIT 1)`)
}

export function applyRules(db: StagedDatabase, findings: Findings) {
  for (const rule of rules) {
    for (const line of linesOf(db, rule)) findings.problem({ line, member: rule.member, issue: rule.issue })
  }
  for (const rule of warnings) {
    for (const line of linesOf(db, rule)) findings.warning({ line, member: rule.member, issue: rule.issue })
  }
}
