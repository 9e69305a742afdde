import Sqlite from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createRecorder } from '../../src/domain/audit-log.ts'
import { createWorkspaces } from '../../src/domain/workspaces.ts'
import { type OpenDatabase, openDatabase } from '../../src/open-database.ts'
import { saleproof } from '../support/command.ts'
import { fileOf } from '../support/database.ts'
import { migrations } from '../support/folders.ts'
import { load, temporaryFolder } from '../support/harness.ts'
import { records } from '../support/records.ts'

/** Which revision counts changes of a table whose rows responses contain, and which changes matter. */
const answering = {
  Account: { revision: 'access', changes: ['UPDATE'] },
  Workspace: { revision: 'access', changes: ['INSERT', 'UPDATE', 'DELETE'] },
  ApiKey: { revision: 'access', changes: ['INSERT', 'UPDATE', 'DELETE'] },
  SigningKey: { revision: 'access', changes: ['INSERT', 'UPDATE', 'DELETE'] },
  ApiKeyItem: { revision: 'access', changes: ['INSERT', 'UPDATE', 'DELETE'] },
  Item: { revision: 'catalogue', changes: ['INSERT', 'UPDATE', 'DELETE'] },
  Purchase: { revision: 'sales', changes: ['INSERT', 'UPDATE', 'DELETE'] },
} as const
/** Tables that no answer is made of. An account without a workspace, new or about to be deleted, is in no answer either. */
const others = [
  'AuditEntry',
  'Deployment',
  'PurchaseChange',
  'PurchaseWord',
  'ResetLink',
  'Revision',
  'SalesTotal',
  'Session',
  '_prisma_migrations',
]

type Table = keyof typeof answering
interface Revisions {
  access: number
  catalogue: number
  sales: number
}

let home: Awaited<ReturnType<typeof temporaryFolder>>
let opened: OpenDatabase
let sqlite: Sqlite.Database
beforeEach(async () => {
  home = await temporaryFolder()
  opened = await openDatabase({
    databaseUrl: 'file:./data/saleproof.db',
    secret: undefined,
    cwd: home.folder,
    migrations,
    busyTimeoutMs: 5000,
    clock: () => new Date(),
    migrate: 'always',
  })
  await load(opened, records)
  sqlite = new Sqlite(fileOf(opened))
  sqlite.pragma('foreign_keys = OFF')
})
afterEach(async () => {
  sqlite.close()
  await opened.close()
  await home.remove()
})

const workspaceId = (slug: string) =>
  sqlite.prepare<[string], number>('SELECT id FROM Workspace WHERE slug = ?').pluck().get(slug)!
const revisionsOf = (id: number) =>
  sqlite
    .prepare<[number], Revisions>('SELECT access, catalogue, sales FROM Revision WHERE workspaceId = ?')
    .get(id)!

/** Which revisions of a workspace a change moves; they only ever grow. */
function moved(id: number, change: () => void) {
  const before = revisionsOf(id)
  change()
  const after = revisionsOf(id)
  const names = ['access', 'catalogue', 'sales'] as const
  for (const name of names) expect(after[name]).toBeGreaterThanOrEqual(before[name])
  return names.filter((name) => after[name] > before[name])
}

const columnsOf = (table: string) => sqlite.pragma(`table_info(${table})`) as { name: string; pk: number }[]

/** A row of the workspace in each table. */
const where: Readonly<Record<Table, string>> = {
  Account: "username = 'ada'",
  Workspace: "slug = 'ada-studio'",
  ApiKey: "name = 'plugin of 101'",
  SigningKey: `workspaceId = (SELECT id FROM Workspace WHERE slug = 'ada-studio')`,
  ApiKeyItem: 'itemId = 101',
  Item: 'id = 101',
  Purchase: "code = 'AAAA-1111-active-image'",
}

describe('every table', () => {
  test('is known to be in answers or not', () => {
    const stored = sqlite
      .prepare<[], string>(`SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'`)
      .pluck()
      .all()
    expect(stored.sort()).toEqual([...Object.keys(answering), ...others].sort())
  })

  test('that is in answers has its triggers, which fire on every row and column', () => {
    const triggers = sqlite
      .prepare<[], { table: string; sql: string }>(
        `SELECT tbl_name AS "table", sql FROM sqlite_schema WHERE type = 'trigger'`,
      )
      .all()
      .filter(({ table, sql }) => table in answering && sql.includes('"Revision"'))
    const found = triggers.map(({ table, sql }) => `${table} ${/AFTER (\w+) ON/.exec(sql)?.[1]}`)
    const expected = Object.entries(answering).flatMap(([table, { changes }]) =>
      changes.map((change) => `${table} ${change}`),
    )
    expect(found.sort()).toEqual(expected.sort())
    for (const { sql } of triggers) expect(sql).not.toMatch(/UPDATE OF|\bWHEN\b/)
  })
})

describe.each(Object.keys(answering) as Table[])('%s', (table) => {
  const { revision } = answering[table]
  const own = () => workspaceId('ada-studio')
  const others = () => ['bob-works', 'empty'].map(workspaceId)

  test('a change of any column moves its revision and no other', () => {
    for (const { name } of columnsOf(table)) {
      const change = () =>
        expect(
          sqlite.prepare(`UPDATE "${table}" SET "${name}" = "${name}" WHERE ${where[table]}`).run().changes,
        ).toBe(1)
      expect(moved(own(), change), name).toEqual([revision])
      for (const other of others()) expect(moved(other, change), name).toEqual([])
    }
  })

  test('what is replaced or inserted as an update moves it', () => {
    const row = `SELECT * FROM "${table}" WHERE ${where[table]}`
    const column = columnsOf(table)[0]!.name
    if (table !== 'Account')
      expect(moved(own(), () => sqlite.exec(`INSERT OR REPLACE INTO "${table}" ${row}`))).toEqual([revision])
    const upsert = `INSERT INTO "${table}" ${row} ON CONFLICT DO UPDATE SET "${column}" = excluded."${column}"`
    expect(moved(own(), () => sqlite.exec(upsert))).toEqual([revision])
  })

  test('a change that is rolled back moves nothing', () => {
    const change = () =>
      sqlite.exec(`BEGIN; DELETE FROM "${table}"; UPDATE Account SET heading = 'x'; ROLLBACK`)
    expect(moved(own(), change)).toEqual([])
  })
})

const comingAndGoing = (Object.keys(answering) as Table[]).filter((table) => table !== 'Account')

describe.each(comingAndGoing)('%s', (table) => {
  const { revision } = answering[table]

  test('a row that goes and one that comes move its revision', () => {
    const id = workspaceId('ada-studio')
    sqlite.exec(`CREATE TEMP TABLE kept AS SELECT * FROM "${table}" WHERE ${where[table]}`)
    const before = revisionsOf(workspaceId('bob-works'))
    expect(moved(id, () => sqlite.exec(`DELETE FROM "${table}" WHERE ${where[table]}`))).toEqual([revision])
    expect(moved(id, () => sqlite.exec(`INSERT INTO "${table}" SELECT * FROM temp.kept`))).toEqual([revision])
    expect(revisionsOf(workspaceId('bob-works'))).toEqual(before)
    expect(sqlite.prepare(`SELECT count(*) FROM "${table}" WHERE ${where[table]}`).pluck().get()).toBe(1)
  })
})

test('an account moves every workspace that it owns', () => {
  for (const slug of ['ada-studio', 'lisboa'])
    expect(
      moved(workspaceId(slug), () => sqlite.exec(`UPDATE Account SET heading = 'x' WHERE username = 'ada'`)),
    ).toEqual(['access'])
})

describe('a workspace has its revisions', () => {
  const withoutRevision = () =>
    sqlite
      .prepare<[], string>(
        'SELECT slug FROM Workspace w WHERE NOT EXISTS (SELECT 1 FROM Revision r WHERE r.workspaceId = w.id)',
      )
      .pluck()
      .all()

  test('when it was imported', () => {
    expect(sqlite.prepare('SELECT count(*) FROM Revision').pluck().get()).toBe(4)
    expect(withoutRevision()).toEqual([])
  })

  test('when it was made by the service or a command', async () => {
    const clock = () => new Date()
    const record = createRecorder({ clock, actor: 'cli' })
    const { create } = createWorkspaces({ ...opened.database, vault: opened.vault, clock, record })
    const { id } = await create({ owner: 'ada', slug: 'made', name: 'Made' })
    // Its first signing key came after it.
    expect(revisionsOf(id)).toEqual({ access: 2, catalogue: 1, sales: 1 })
    const args = ['workspace', 'create', '--owner', 'ada', '--slug', 'typed', '--name', 'Typed']
    expect(await saleproof(args, { cwd: home.folder })).toMatchObject({ code: 0 })
    expect(revisionsOf(workspaceId('typed'))).toEqual({ access: 2, catalogue: 1, sales: 1 })
    expect(withoutRevision()).toEqual([])
  })
})
