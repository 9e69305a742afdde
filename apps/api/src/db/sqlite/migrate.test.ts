import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { describe, expect, onTestFinished, test } from 'vitest'
import { migrations as ours, temporaryFolder } from '../../../test/support/folders.ts'
import { createSqliteMigrator } from './migrate.ts'

const first = 'CREATE TABLE "Account" ("id" TEXT PRIMARY KEY NOT NULL);'
const child = `CREATE TABLE "Child" (
    "id" TEXT PRIMARY KEY NOT NULL,
    "accountId" TEXT NOT NULL REFERENCES "Account" ("id") ON DELETE CASCADE
);`

/** A database in a folder of its own, with migrations that the test writes. */
async function setup(migrations: Record<string, string> = { '1_first': first }) {
  const { folder, remove } = await temporaryFolder()
  onTestFinished(remove)
  const file = join(folder, 'data/test.db')
  const write = (name: string, sql: string) => {
    mkdirSync(join(folder, 'migrations', name), { recursive: true })
    writeFileSync(join(folder, 'migrations', name, 'migration.sql'), sql)
  }
  for (const [name, sql] of Object.entries(migrations)) write(name, sql)
  const clock = () => new Date('2026-11-21T12:00:00.000Z')
  return {
    file,
    write,
    migrator: () =>
      createSqliteMigrator({ databaseFile: file, migrations: join(folder, 'migrations'), clock }),
    sql<T>(act: (database: Sqlite.Database) => T): T {
      const database = new Sqlite(file)
      try {
        return act(database)
      } finally {
        database.close()
      }
    },
    copies: () => readdirSync(join(folder, 'data')).filter((name) => name.includes('.before-')),
  }
}

const rows = (database: Sqlite.Database, table: string) => database.prepare(`SELECT * FROM "${table}"`).all()
const tables = (database: Sqlite.Database) =>
  database.prepare(`SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name`).pluck().all()

describe('applying', () => {
  test('brings a new file to the schema, and a second time does nothing', async () => {
    const { migrator, file } = await setup({ '2_second': child, '1_first': first })
    expect(await migrator().status()).toEqual({ applied: [], pending: ['1_first', '2_second'] })
    expect(await migrator().apply()).toEqual({ applied: ['1_first', '2_second'], backup: undefined })
    expect(await migrator().apply()).toEqual({ applied: [], backup: undefined })
    expect(await migrator().status()).toEqual({ applied: ['1_first', '2_second'], pending: [] })
    expect(statSync(file).mode & 0o777).toBe(0o600)
  })

  test('takes a file that is there but empty', async () => {
    const { migrator, file, sql } = await setup()
    mkdirSync(join(file, '..'))
    writeFileSync(file, '')
    expect((await migrator().apply()).applied).toEqual(['1_first'])
    expect(sql((database) => database.pragma('journal_mode', { simple: true }))).toBe('wal')
  })

  test.each([
    ['a statement that is wrong', 'CREATE TABLE "Half" (x); BOOM;', /reports an error.*SQLITE_ERROR/],
    [
      'rows without what they refer to',
      `${child} INSERT INTO "Child" VALUES ('c', 'missing');`,
      /2_next would/,
    ],
  ])('%s leaves everything as it was', async (_, next, message) => {
    const { migrator, write, sql } = await setup()
    await migrator().apply()
    const before = sql(tables)
    write('2_next', next)
    await expect(migrator().apply()).rejects.toThrow(message)
    expect(sql(tables)).toEqual(before)
    expect(await migrator().status()).toEqual({ applied: ['1_first'], pending: ['2_next'] })
  })

  test('rebuilding a table keeps the rows that refer to it', async () => {
    const { migrator, write, sql } = await setup({ '1_first': first, '2_child': child })
    await migrator().apply()
    sql((database) =>
      database.exec(`INSERT INTO "Account" VALUES ('a'); INSERT INTO "Child" VALUES ('c', 'a');`),
    )
    write(
      '3_rebuild',
      `PRAGMA foreign_keys=OFF;
       CREATE TABLE "new_Account" ("id" TEXT PRIMARY KEY NOT NULL, "name" TEXT NOT NULL DEFAULT '');
       INSERT INTO "new_Account" ("id") SELECT "id" FROM "Account";
       DROP TABLE "Account";
       ALTER TABLE "new_Account" RENAME TO "Account";
       PRAGMA foreign_keys=ON;`,
    )
    await migrator().apply()
    expect(sql((database) => rows(database, 'Child'))).toEqual([{ id: 'c', accountId: 'a' }])
  })
})

describe('the copy before', () => {
  test('contains the old data, readable by its owner alone', async () => {
    const { migrator, write, sql, copies } = await setup()
    await migrator().apply()
    sql((database) => database.exec(`INSERT INTO "Account" VALUES ('a')`))
    write('2_next', 'DELETE FROM "Account";')
    const { backup } = await migrator().apply()
    expect(backup).toMatch(/test\.db\.before-2_next-20261121120000000$/)
    expect(copies()).toHaveLength(1)
    expect(statSync(backup!).mode & 0o777).toBe(0o600)
    const copy = new Sqlite(backup!, { readonly: true })
    expect(rows(copy, 'Account')).toEqual([{ id: 'a' }])
    expect(copy.pragma('integrity_check', { simple: true })).toBe('ok')
    copy.close()
    expect(sql((database) => rows(database, 'Account'))).toEqual([])
  })

  test('is made again at the same time, and leaves nothing incomplete beside it', async () => {
    const { migrator, write, sql, copies } = await setup()
    await migrator().apply()
    sql((database) => database.exec(`INSERT INTO "Account" VALUES ('a')`))
    write('2_next', 'BOOM;')
    for (let attempt = 0; attempt < 2; attempt++)
      await expect(migrator().apply()).rejects.toThrow(/SQLITE_ERROR/)
    expect(copies()).toEqual(['test.db.before-2_next-20261121120000000'])
  })

  test('is not made of a database without data, nor when nothing is pending', async () => {
    const { migrator, write, sql, copies } = await setup()
    await migrator().apply()
    write('2_next', child)
    await migrator().apply()
    sql((database) => database.exec(`INSERT INTO "Account" VALUES ('a')`))
    await migrator().apply()
    expect(copies()).toEqual([])
  })
})

describe('refusing', () => {
  type Change = (database: Sqlite.Database) => void
  const history = (change: string): Change => {
    return (database) => void database.exec(`UPDATE _prisma_migrations SET ${change}`)
  }
  const unrecorded: Change = (database) => void database.exec('DROP TABLE _prisma_migrations')
  const changes: [RegExp, Change][] = [
    [/of an earlier build/, history(`migration_name = '0_earlier'`)],
    [/newer than this build/, history(`migration_name = '9_later'`)],
    [/not the one that was applied/, history(`checksum = 'another'`)],
    [/left unfinished/, history('finished_at = NULL')],
    [/set DATABASE_URL to a file of its own/, unrecorded],
  ]

  test.each(changes)('%s', async (problem, change) => {
    const { migrator, sql } = await setup()
    await migrator().apply()
    sql(change)
    await expect(migrator().status()).rejects.toThrow(problem)
    await expect(migrator().apply()).rejects.toThrow(problem)
    expect(sql(tables)).toContain('Account')
  })

  test('a migration that was rolled back is pending again', async () => {
    const { migrator, sql } = await setup()
    await migrator().apply()
    sql(history('rolled_back_at = 1'))
    expect(await migrator().status()).toEqual({ applied: [], pending: ['1_first'] })
  })

  test.each([
    ['is not a database of Saleproof', Buffer.from('not a database '.repeat(1000))],
    ['is a folder', undefined],
  ])('a file that %s', async (finding, content) => {
    const { migrator, file } = await setup()
    mkdirSync(content ? join(file, '..') : file, { recursive: true })
    if (content) writeFileSync(file, content)
    await expect(migrator().apply()).rejects.toThrow(finding)
  })

  test('a build whose first migration is not the one that was applied, with what to do', async () => {
    const { migrator, write } = await setup()
    await migrator().apply()
    write('1_first', `${first} -- edited`)
    await expect(migrator().apply()).rejects.toThrow(
      'migration 1_first is not the one that was applied: install',
    )
  })
})

test('the migrations of this build apply to a new file', async () => {
  const { file } = await setup({})
  const migrator = createSqliteMigrator({ databaseFile: file, migrations: ours, clock: () => new Date() })
  const { pending } = await migrator.status()
  expect(pending.length).toBeGreaterThan(0)
  expect((await migrator.apply()).applied).toEqual(pending)
})
