import { describe, expect, test } from 'vitest'
import { links, tableRows } from '../markdown.ts'
import { read } from '../repository.ts'
import { known } from './known.ts'
import { models, modelsOf } from './models.ts'
import { placement } from './placement.ts'
import { modelRules, statementRules } from './rules.ts'
import { documents } from './sources.ts'
import { type Statement, split, statements } from './statements.ts'

// What a distributed database would not take of models, migrations and statements: nothing but what is known, with what takes its place.

interface Found {
  rule: string
  where: string
}

const found: Found[] = [
  ...modelRules.flatMap(({ name, find }) =>
    models.flatMap((model) => find(model).map((where) => ({ rule: name, where }))),
  ),
  ...statementRules.flatMap(({ name, breaks }) =>
    statements.filter(breaks).map(({ file }) => ({ rule: name, where: file })),
  ),
]

const isKnown = ({ rule, where }: Found) =>
  known.some(
    ({ rules, where: places }) => rules.includes(rule) && places.some((place) => where.endsWith(place)),
  )

test('every model has its place', () => {
  expect(models.length).toBeGreaterThan(10)
  expect(models.map(({ name }) => name).sort()).toEqual(Object.keys(placement).sort())
})

test('statements are read: of migrations, and of code', () => {
  expect(statements.filter(({ isMigration }) => isMigration).length).toBeGreaterThan(30)
  expect(statements.filter(({ isMigration }) => !isMigration).length).toBeGreaterThan(20)
})

test('nothing is there that a distributed database would not take, but what is known', () => {
  const unknown = found.filter((one) => !isKnown(one)).map(({ rule, where }) => `${where}: ${rule}`)
  expect([...new Set(unknown)]).toEqual([])
})

test('what is known is there still', () => {
  const gone = known.flatMap(({ rules, where }) =>
    rules.flatMap((rule) =>
      where.filter((place) => !found.some((one) => one.rule === rule && one.where.endsWith(place))),
    ),
  )
  expect(gone).toEqual([])
})

describe('docs/scaling.md', () => {
  const page = read('apps/api/docs/scaling.md')
  const rows = tableRows(page).map((cells) => cells.join(' | '))

  test('tells what would have to change', () => {
    for (const { where, change } of known) {
      const places = where.map((place) => `\`${place.replace(/^apps\/api\//, '')}\``).join(', ')
      expect(rows).toContain(`${places} | ${change}`)
    }
  })

  test('tells every rule with where it comes from', () => {
    for (const { name, why, sources } of [...modelRules, ...statementRules]) {
      const row = rows.find((cells) => cells.startsWith(`${name} | ${why} | `))
      expect(row, name).toBeDefined()
      expect(links(row!)).toEqual(sources.map((source) => documents[source]))
    }
  })
})

describe('a rule finds what it is for', () => {
  const statement = (sql: string): Statement => ({ file: 'x.ts', sql, isMigration: false })
  const brokenBy = (sql: string) =>
    statementRules.filter(({ breaks }) => breaks(statement(sql))).map(({ name }) => name)

  test.each([
    ['no sequences', 'CREATE TABLE "Sale" ("id" BIGSERIAL NOT NULL)'],
    ['no sequences', `SELECT nextval('a')`],
    ['no advisory locks', 'SELECT pg_try_advisory_lock(1)'],
    ['no LISTEN and NOTIFY', 'LISTEN revoked'],
    ['no LISTEN and NOTIFY', `SELECT pg_notify('revoked', $1)`],
    [
      'no deferred constraints',
      'ALTER TABLE "A" ADD FOREIGN KEY ("b") REFERENCES "B" DEFERRABLE INITIALLY DEFERRED',
    ],
    ['no triggers', 'CREATE TRIGGER "a" AFTER INSERT ON "Session" FOR EACH ROW EXECUTE FUNCTION "f"()'],
    ['no locks on tables', 'LOCK TABLE "Session" IN SHARE MODE'],
    ['no temporary tables', 'CREATE TEMP TABLE staged (a text)'],
    ['nothing of PostgreSQL’s own storage', 'SELECT xmin FROM "Account"'],
    ['rows are locked in one workspace', 'SELECT 1 FROM "Item" WHERE "id" = $1 FOR UPDATE'],
    ['statements on spread tables name their workspace', 'SELECT 1 FROM "Purchase" WHERE "code" = $1'],
    ['statements on spread tables name their workspace', 'UPDATE "Item" SET "name" = $1'],
  ])('%s: %s', (rule, sql) => {
    expect(brokenBy(sql)).toContain(rule)
  })

  test.each([
    'SELECT "state" FROM "Purchase" WHERE "workspaceId" = $1 AND "code" = $2',
    'SELECT "id" FROM "ApiKey" WHERE "keyHash" = $1',
    'INSERT INTO "Purchase" ("workspaceId", "code") VALUES ($1, $2)',
    'SELECT 1 FROM "Item" WHERE "workspaceId" = $1 AND "id" = $2 FOR UPDATE',
  ])('nothing is said of: %s', (sql) => {
    expect(brokenBy(sql)).toEqual([])
  })

  test('models', () => {
    const schema = `model Purchase {
  id          Int    @id @default(autoincrement())
  workspaceId String
  itemId      BigInt
  note        Json
  item        Item   @relation(fields: [itemId], references: [id])
}

model Account {
  id         String   @id
  bestItemId BigInt
  bestItem   Item     @relation(fields: [bestItemId], references: [id])
}
`
    const broken = modelsOf(schema).flatMap((model) =>
      modelRules.flatMap(({ name, find }) => find(model).map((where) => `${where}: ${name}`)),
    )
    expect([...new Set(broken)].sort()).toEqual([
      'Account to Item: references stay in the workspace',
      'Purchase to Item: references stay in the workspace',
      'Purchase.id: keys hold the workspace',
      'Purchase.id: no counted ids',
      'Purchase.note: no JSON whose order counts',
    ])
  })

  test('scripts are split, but not in the bodies of functions', () => {
    const script = '-- A;\nSELECT 1;\nCREATE FUNCTION f() AS $$\nBEGIN\n  a;\n  b;\nEND\n$$;\n\nSELECT 2;\n'
    expect(split(script)).toEqual([
      'SELECT 1',
      'CREATE FUNCTION f() AS $$\nBEGIN\n  a;\n  b;\nEND\n$$',
      'SELECT 2',
    ])
  })
})
