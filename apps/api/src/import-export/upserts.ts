import type { Dialect } from './dialect.ts'
import type { RecordType } from './records.ts'
import type { Work } from './sql-steps.ts'

/** How the staged records of a type become rows. In the expressions `s` is what was given and `d` what is stored, if it is. */
export interface Target {
  table: string
  from: string
  /** The column that tells whether a record is stored. */
  stored: string
  /** The columns that find the stored row. */
  identity: readonly string[]
  /** Columns that are written once. */
  fixed: Readonly<Record<string, string>>
  /** Columns that a record may change. */
  changing: Readonly<Record<string, string>>
  /** Those of them that hold JSON: they are compared as texts. */
  json: readonly string[]
}

export type Targets = Readonly<Record<RecordType, Target>>

const given = (...columns: string[]) => Object.fromEntries(columns.map((column) => [column, `s."${column}"`]))

const or = (fallback: string, choices: readonly (readonly [when: string, then: string])[]) =>
  `CASE ${choices.map(([when, then]) => `WHEN ${when} THEN ${then}`).join(' ')} ELSE ${fallback} END`

function createColumns({ moment, choice, second, earlier }: Dialect) {
  const stored = (column: string) => `d."${column}"`
  /** `''` stands for a member that was left out. */
  const leftOut = (column: string) => `s."${column}" = ''`
  const momentOf = (column: string) => moment(`s."${column}"`)
  const sameSecond = (column: string) => `${second(stored(column))} = ${second(momentOf(column))}`
  return {
    choice: (column: string, type: string) => ({ [column]: choice(`s."${column}"`, type) }),
    kept: (column: string, value = `s."${column}"`) => ({
      [column]: or(value, [[leftOut(column), stored(column)]]),
    }),
    keptChoice: (column: string, type: string) => ({
      [column]: or(choice(`s."${column}"`, type), [[leftOut(column), stored(column)]]),
    }),
    made: { createdAt: momentOf('createdAt') },
    /** What is stored to the millisecond is not changed by a file that says the same second. */
    moment: (column: string) => ({ [column]: or(momentOf(column), [[sameSecond(column), stored(column)]]) }),
    keptMoment: (column: string) => ({
      [column]: or(momentOf(column), [
        [leftOut(column), stored(column)],
        [sameSecond(column), stored(column)],
      ]),
    }),
    /** A revocation is never taken back or put off: of two dates the earlier holds. */
    revokedAt: or(earlier(momentOf('revokedAt'), 'd."revokedAt"'), [
      [`s."revokedAt" IS NULL`, 'd."revokedAt"'],
      [leftOut('revokedAt'), 'd."revokedAt"'],
      [sameSecond('revokedAt'), 'd."revokedAt"'],
      ['d."revokedAt" IS NULL', momentOf('revokedAt')],
    ]),
  }
}

type Columns = ReturnType<typeof createColumns>

const purchaseOf = (
  { main, staging, orderedJoin, choice }: Dialect,
  { moment, keptMoment }: Columns,
): Target => ({
  table: 'Purchase',
  from: `${staging}purchase s ${orderedJoin} ${staging}sold_item w ON w."itemId" = s."itemId"
    LEFT JOIN ${main}"Purchase" d ON d."workspaceId" = w."workspaceId" AND d."code" = s."code"`,
  stored: 'd."code"',
  identity: ['workspaceId', 'code'],
  fixed: { workspaceId: 'w."workspaceId"', ...given('code', 'itemId') },
  changing: {
    ...given('licenseType', 'price', 'currency', 'downloaded'),
    ...keptMoment('supportedUntil'),
    ...moment('date'),
    state: `coalesce(${choice('s."state"', 'PurchaseState')}, d."state", 'active')`,
  },
  json: [],
})

const itemOf = ({ main, staging }: Dialect, { choice, moment }: Columns): Target => ({
  table: 'Item',
  from: `${staging}item s LEFT JOIN ${main}"Item" d ON d."id" = s."id"
    LEFT JOIN ${main}"Workspace" w ON w."slug" = s."workspace"`,
  stored: 'd."id"',
  identity: ['id'],
  fixed: { ...given('id'), workspaceId: 'w."id"' },
  changing: {
    ...choice('kind', 'ItemKind'),
    ...given('name', 'description', 'category', 'subCategory', 'options', 'version', 'demoLink', 'tags'),
    ...given('thumbnail', 'previewImage', 'previewVideo', 'previewAudio', 'screenshots', 'priceRegular'),
    ...given('priceExtended', 'currency', 'url', 'support'),
    ...moment('publishedAt'),
  },
  json: ['options', 'tags', 'screenshots'],
})

/** What is stored keeps its id. */
const keptId = 'coalesce(d."id", s."id")'

const keyOf = ({ main, staging }: Dialect, columns: Columns): Target => ({
  table: 'ApiKey',
  from: `${staging}api_key s LEFT JOIN ${main}"ApiKey" d ON d."keyHash" = s."keyHash"
    LEFT JOIN ${main}"Workspace" w ON w."slug" = s."workspace"`,
  stored: 'd."id"',
  identity: ['id'],
  fixed: { id: keptId, workspaceId: 'w."id"', ...given('keyHash', 'keyCipher'), ...columns.made },
  changing: {
    ...given('name'),
    publishable: 'coalesce(s."publishable", d."publishable", FALSE)',
    ...columns.keptMoment('expiresAt'),
    revokedAt: columns.revokedAt,
  },
  json: [],
})

/** In the order in which they are written: what a row refers to comes first. */
export function createTargets(dialect: Dialect): Targets {
  const { main, staging } = dialect
  const columns = createColumns(dialect)
  return {
    account: {
      table: 'Account',
      from: `${staging}account s LEFT JOIN ${main}"Account" d ON d."username" = s."username"`,
      stored: 'd."id"',
      identity: ['id'],
      fixed: { id: keptId, ...given('username') },
      changing: {
        ...given('email', 'firstname', 'lastname', 'fullName', 'balance', 'currency', 'heading'),
        ...given('description', 'contactEmail', 'socialLinks', 'avatar', 'cover'),
        ...columns.moment('registeredAt'),
        ...columns.kept('passwordHash'),
      },
      json: ['socialLinks'],
    },
    workspace: {
      table: 'Workspace',
      from: `${staging}workspace s LEFT JOIN ${main}"Workspace" d ON d."slug" = s."slug"
        LEFT JOIN ${main}"Account" a ON a."username" = s."owner"`,
      stored: 'd."id"',
      identity: ['id'],
      fixed: { id: keptId, accountId: 'a."id"', ...given('slug'), ...columns.made },
      changing: {
        ...given('name'),
        ...columns.keptChoice('shape', 'Shape'),
        ...columns.keptChoice('locale', 'Locale'),
      },
      json: [],
    },
    item: itemOf(dialect, columns),
    api_key: keyOf(dialect, columns),
    purchase: purchaseOf(dialect, columns),
  }
}

/** The items that a stored key is bound to, in the form of a staged list. */
const storedItems = ({ main }: Dialect) => `(SELECT
  '[' || coalesce(string_agg(CAST(b."itemId" AS text), ',' ORDER BY b."itemId"), '') || ']'
  FROM ${main}"ApiKeyItem" b WHERE b."workspaceId" = d."workspaceId" AND b."keyId" = d."id")`

function plannedView(dialect: Dialect, type: RecordType, { from, stored, fixed, changing, json }: Target) {
  const was = Object.keys(changing).map((name) =>
    json.includes(name) ? `CAST(d."${name}" AS text)` : `d."${name}"`,
  )
  const columns = Object.entries({ ...fixed, ...changing }).map(
    ([name, expression]) => `${expression} AS "${name}"`,
  )
  const differs = `(${was.join(', ')}) IS DISTINCT FROM (${Object.values(changing).join(', ')})`
  const items = type === 'api_key'
  /** Whether the list of a key's items differs from what is stored. */
  const itemsChanged = `(s."items" IS NOT NULL AND s."items" <> ${storedItems(dialect)})`
  return `CREATE TEMP VIEW planned_${type} AS SELECT s."line", ${stored} IS NULL AS "created",
    ${stored} IS NOT NULL AND (${differs}${items ? ` OR ${itemsChanged}` : ''}) AS "changed",
    ${columns.join(', ')}${items ? ', s."items"' : ''} FROM ${from}`
}

/** Makes `planned_…`: for every staged record the row as it shall be, and whether that row is new or changed. */
export function* createPlannedViews(dialect: Dialect, targets: Targets): Work<void> {
  for (const [type, target] of Object.entries(targets)) yield plannedView(dialect, type as RecordType, target)
}
