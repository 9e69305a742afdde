import type { FieldType, View } from '@saleproof/schema/records'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../test/support/import-database.ts'
import { sample } from '../../test/support/import-records.ts'
import { createSerializer, type StoredRow, shownFields } from './json.ts'
import { type RecordType, recordTables, recordTypes } from './tables.ts'
import { createReader, nest, type Tree } from './tree.ts'

const samples: Readonly<Record<RecordType, object>> = { ...sample, api_key: sample.key }
const hash = '$argon2id$v=19$m=19456,t=2,p=1$c2FsdHNhbHQxMjM$aGFzaGhhc2hoYXNoaGFzaA'
const otherLink = 'https://example.com/other'

/** A value of each type that no sample has. The others say what a record is, or whose. */
const otherValues: Partial<Record<FieldType, unknown>> = {
  text: 'another text',
  nonempty_text: 'another text',
  email: 'other@example.com',
  texts: ['another'],
  link: otherLink,
  optional_link: otherLink,
  links: [otherLink],
  link_map: { other: otherLink },
  item_ids: [101],
  version: '9.9.9',
  currency: 'EUR',
  amount: -7.5,
  price: 7.5,
  timestamp: '2001-02-03T04:05:06Z',
  boolean: true,
  item_kind: 'audio',
  purchase_state: 'refunded',
  shape: 'extended',
  locale: 'pt',
  customer_text: 'another text',
  customer_email: 'other@example.com',
  note: 'another text',
  password_hash: hash,
}

/** What a field cannot be without. */
const together: Readonly<Record<string, readonly (readonly [path: string, value: unknown])[]>> = {
  kind: [['media.preview_audio', otherLink]],
  items: [['publishable', true]],
  refunded_at: [['state', 'refunded']],
  'media.preview_video': [['kind', 'video']],
  'media.preview_audio': [['kind', 'audio']],
}

const isTree = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function merged(record: object, tree: Tree<unknown>): object {
  const changes = [...tree].map(([name, node]) => {
    const before: unknown = Reflect.get(record, name)
    return [name, node instanceof Map ? merged(isTree(before) ? before : {}, node) : node]
  })
  return { ...record, ...Object.fromEntries(changes) }
}

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.remove())

const all = recordTypes.flatMap((type) =>
  recordTables[type].fields
    // Kept and exported as its hash.
    .filter(({ type }) => type !== 'password')
    .map((field) => ({ name: `${type}: ${field.path}`, type, field })),
)

test.each(all)('$name is imported, stored, exported and shown', async ({ type, field }) => {
  const { path } = field
  const read = createReader(path)
  const identifies =
    otherValues[field.type] === undefined || (field.type === 'boolean' && read(samples[type]))
  const value = identifies ? read(samples[type]) : otherValues[field.type]
  const record = merged(samples[type], nest([[path, value], ...(together[path] ?? [])]))
  database.clear()
  await database.load(Object.values(samples))
  await database.load([record])
  const lines = (await database.exported()).split('\n').filter(Boolean)
  const exported = lines.map((line) => JSON.parse(line)).find((line) => line.type === type)
  expect(read(exported)).toEqual(value)

  const table = recordTables[type]
  const row = database.withDatabase((db) => db.prepare<[], StoredRow>(`SELECT * FROM "${table.name}"`).get())
  for (const view of Object.keys(field.shown) as View[]) {
    if (field.type === 'item') continue
    const item = type === 'purchase' ? { support: 1, json: '{}' } : row
    const shown = JSON.parse(createSerializer(shownFields(table, view))(row!, item))
    const isHidden = path === 'media.preview_image' && view === 'extended' && row?.kind === 'audio'
    expect(read(shown), view).toEqual(isHidden ? undefined : value)
  }
})

test.each(recordTypes)('every column of a %s has a field, or is known not to', (type) => {
  const { name, fields, generated } = recordTables[type]
  const found = database.withDatabase((db) =>
    db.prepare<[string], string>('SELECT name FROM pragma_table_info(?)').pluck().all(name),
  )
  const given = ['id', 'workspaceId', 'accountId', 'createdEntry']
  // They belong to keys and choices of one deployment, which no export holds.
  const settings = type === 'workspace' ? ['passHours', 'salesFiles'] : []
  const columns = fields.map(({ column }) => column)
  const known = new Set([...columns, ...Object.keys(generated), ...given, ...settings])
  expect(found.filter((column) => !known.has(column))).toEqual([])
})
