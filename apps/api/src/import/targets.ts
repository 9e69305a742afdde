import type { RecordType } from './records.ts'
import type { StagedDatabase } from './staging.ts'

/** How the staged records of a type become rows. In the expressions `s` is what was given and `d` what is stored, if it is. */
interface Target {
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
}

const given = (...columns: string[]) => Object.fromEntries(columns.map((column) => [column, `s.${column}`]))

/** `''` stands for a member that was left out. */
const kept = (column: string) => ({
  [column]: `CASE WHEN s.${column} = '' THEN d.${column} ELSE s.${column} END`,
})

const second = (column: string) => `substr(${column}, 1, 19)`
const sameSecond = (column: string) => `${second(`d.${column}`)} = ${second(`s.${column}`)}`

/** Files know whole seconds. What is stored to the millisecond is not changed by a file that says the same second. */
const moment = (column: string) => ({
  [column]: `CASE WHEN ${sameSecond(column)} THEN d.${column} ELSE s.${column} END`,
})

const keptMoment = (column: string) => ({
  [column]: `CASE WHEN s.${column} = '' OR ${sameSecond(column)} THEN d.${column} ELSE s.${column} END`,
})

/** A revocation is never taken back or put off: of two dates the earlier holds. */
const revokedAt = `CASE WHEN s.revokedAt IS NULL OR s.revokedAt = '' OR ${sameSecond('revokedAt')} THEN d.revokedAt
  WHEN d.revokedAt IS NULL THEN s.revokedAt ELSE min(s.revokedAt, d.revokedAt) END`

/** In the order in which they are written: what a row refers to comes first. */
export const targets: Readonly<Record<RecordType, Target>> = {
  account: {
    table: 'Account',
    from: 'staging.account s LEFT JOIN main.Account d ON d.username = s.username',
    stored: 'd.id',
    identity: ['id'],
    fixed: { id: 'coalesce(d.id, s.id)', ...given('username') },
    changing: {
      ...given('email', 'firstname', 'lastname', 'fullName', 'balance', 'currency', 'heading', 'description'),
      ...given('contactEmail', 'socialLinks', 'avatar', 'cover'),
      ...moment('registeredAt'),
      ...kept('passwordHash'),
    },
  },
  workspace: {
    table: 'Workspace',
    from: `staging.workspace s LEFT JOIN main.Workspace d ON d.slug = s.slug
      LEFT JOIN main.Account a ON a.username = s.owner`,
    stored: 'd.id',
    identity: ['id'],
    fixed: { id: 'coalesce(d.id, s.id)', accountId: 'a.id', ...given('slug', 'createdAt') },
    changing: { ...given('name'), ...kept('shape'), ...kept('locale') },
  },
  item: {
    table: 'Item',
    from: `staging.item s LEFT JOIN main.Item d ON d.id = s.id LEFT JOIN main.Workspace w ON w.slug = s.workspace`,
    stored: 'd.id',
    identity: ['id'],
    fixed: { ...given('id'), workspaceId: 'w.id' },
    changing: {
      ...given(
        'kind',
        'name',
        'description',
        'category',
        'subCategory',
        'options',
        'version',
        'demoLink',
        'tags',
      ),
      ...given('thumbnail', 'previewImage', 'previewVideo', 'previewAudio', 'screenshots', 'priceRegular'),
      ...given('priceExtended', 'currency', 'url', 'support'),
      ...moment('publishedAt'),
    },
  },
  api_key: {
    table: 'ApiKey',
    from: `staging.api_key s LEFT JOIN main.ApiKey d ON d.keyHash = s.keyHash
      LEFT JOIN main.Workspace w ON w.slug = s.workspace`,
    stored: 'd.id',
    identity: ['id'],
    fixed: { id: 'coalesce(d.id, s.id)', workspaceId: 'w.id', ...given('keyHash', 'keyCipher', 'createdAt') },
    changing: {
      ...given('name'),
      publishable: 'coalesce(s.publishable, d.publishable, 0)',
      ...keptMoment('expiresAt'),
      revokedAt,
    },
  },
  purchase: {
    table: 'Purchase',
    // CROSS JOIN keeps the order of the joins, and with it that of the index on the codes.
    from: `staging.purchase s CROSS JOIN staging.sold_item w ON w.itemId = s.itemId
      LEFT JOIN main.Purchase d ON d.workspaceId = w.workspaceId AND d.code = s.code`,
    stored: 'd.code',
    identity: ['workspaceId', 'code'],
    fixed: { workspaceId: 'w.workspaceId', ...given('code', 'itemId') },
    changing: {
      ...given('licenseType', 'price', 'currency', 'downloaded'),
      ...keptMoment('supportedUntil'),
      ...moment('date'),
      state: `coalesce(s.state, d.state, 'active')`,
    },
  },
}

const storedItems = `(SELECT json_group_array(itemId) FROM
  (SELECT b.itemId FROM main.ApiKeyItem b WHERE b.workspaceId = d.workspaceId AND b.keyId = d.id ORDER BY b.itemId))`

/** Whether the list of a key's items differs from what is stored. */
const itemsChanged = `(s.items IS NOT NULL AND s.items <> ${storedItems})`

function createView(db: StagedDatabase, type: RecordType) {
  const { from, stored, fixed, changing } = targets[type]
  const names = Object.keys(changing)
  const was = names.map((name) => `d.${name}`).join(', ')
  const columns = Object.entries({ ...fixed, ...changing }).map(
    ([name, expression]) => `${expression} AS ${name}`,
  )
  const differs = `(${was}) IS NOT (${Object.values(changing).join(', ')})`
  const items = type === 'api_key'
  db.exec(`CREATE TEMP VIEW planned_${type} AS SELECT s.line, ${stored} IS NULL AS created,
    ${stored} IS NOT NULL AND (${differs}${items ? ` OR ${itemsChanged}` : ''}) AS changed,
    ${columns.join(', ')}${items ? ', s.items' : ''} FROM ${from}`)
}

/** Makes `planned_…`: for every staged record the row as it shall be, and whether that row is new or changed. */
export function createPlannedViews(db: StagedDatabase) {
  for (const type of Object.keys(targets) as RecordType[]) createView(db, type)
}
