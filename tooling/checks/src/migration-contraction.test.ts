import { expect, test } from 'vitest'
import { contractionsIn } from './migration-contraction.ts'
import { files, read } from './repository.ts'

// During a rolling upgrade the previous build serves on the new schema.

const migrations = files
  .flatMap((file) => {
    const [, name] = /^apps\/api\/prisma\/migrations-postgresql\/(\w+)\/migration\.sql$/.exec(file) ?? []
    return name === undefined ? [] : [{ name, sql: read(file) }]
  })
  .sort((one, other) => (one.name < other.name ? -1 : 1))

test('every migration expands, or its name says that it contracts', () => {
  expect(migrations).not.toEqual([])
  expect(contractionsIn(migrations)).toEqual([])
})

const [first, name] = ['20270101000000_first', '20270201000000_second']
const found = (sql: string, called = name) =>
  contractionsIn([
    { name: first, sql: 'CREATE TABLE "Old" ("id" TEXT NOT NULL);' },
    { name: called, sql },
  ])

test.each([
  ['DROP TABLE "Old"', 'drops something'],
  ['ALTER TABLE "Old" DROP COLUMN "id"', 'drops something'],
  ['ALTER TABLE "Old" ALTER COLUMN "id" DROP DEFAULT', 'drops something'],
  ['DROP INDEX "Old_id_key"', 'drops something'],
  ['ALTER TABLE "Old" RENAME TO "New"', 'renames something'],
  ['ALTER TABLE "Old" RENAME COLUMN "id" TO "key"', 'renames something'],
  ['ALTER TABLE "Old" ALTER COLUMN "id" SET DATA TYPE integer', 'changes the type of a column'],
  ['ALTER TABLE "Old" ALTER "id" TYPE integer', 'changes the type of a column'],
  ['ALTER TABLE "Old" ALTER COLUMN "id" SET NOT NULL', 'makes a column required'],
  ['ALTER TABLE "Old" ADD COLUMN "more" TEXT NOT NULL', 'adds a required column without a default'],
  [
    'ALTER TABLE "Old" ADD COLUMN "a" int DEFAULT 1, ADD COLUMN "b" int NOT NULL',
    'adds a required column without a default',
  ],
  ['ALTER TABLE "Old" ADD CONSTRAINT "Old_check" CHECK ("id" > \'\')', 'adds a constraint'],
  ['CREATE UNIQUE INDEX "Old_id_key" ON "Old"("id")', 'adds a unique index'],
  [
    `ALTER TYPE "PurchaseState" ADD VALUE 'disputed'`,
    'adds an enum value that the previous build cannot read',
  ],
  ['DELETE FROM "Old"', 'removes rows'],
  ['TRUNCATE "Old"', 'removes rows'],
  ['REVOKE INSERT ON "Old" FROM shop', 'revokes privileges'],
])('%s is refused', (sql, what) => {
  expect(found(`SELECT 1;\n${sql};\n`)).toEqual([`${name}: ${what}`])
})

test.each([
  'ALTER TABLE "Old" ADD COLUMN "more" TEXT',
  'ALTER TABLE "Old" ADD COLUMN "more" integer NOT NULL DEFAULT 0',
  'CREATE INDEX "Old_id_idx" ON "Old"("id")',
  'CREATE TABLE "New" ("id" TEXT NOT NULL);\nCREATE UNIQUE INDEX "New_id_key" ON "New"("id")',
  'CREATE TABLE "New" ("id" TEXT);\nALTER TABLE "New" ADD CONSTRAINT "New_fkey" FOREIGN KEY ("id") REFERENCES "Old"("id")',
  `UPDATE "Old" SET "id" = 'x'`,
])('%s is an expansion', (sql) => {
  expect(found(`${sql};\n`)).toEqual([])
})

test('a contraction names an earlier migration', () => {
  expect(found('DROP TABLE "Old";', '20270301000000_drop_old_after_20270101000000')).toEqual([])
  const wrong = '20270301000000_drop_old_after_20270102000000'
  expect(found('DROP TABLE "Old";', wrong)).toEqual([
    `${wrong}: there is no migration 20270102000000 before it`,
  ])
})
