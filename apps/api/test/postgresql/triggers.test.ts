import pg from 'pg'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { databaseUrlIn } from '../support/database.ts'
import { ndjson, temporaryFolder } from '../support/harness.ts'
import { spawnSaleproof } from '../support/process.ts'
import { records } from '../support/records.ts'

let home: Awaited<ReturnType<typeof temporaryFolder>>
let client: pg.Client
beforeEach(async () => {
  home = await temporaryFolder()
  expect((await spawnSaleproof(['import', '-'], { cwd: home.folder, input: ndjson(records) })).code).toBe(0)
  client = new pg.Client(await databaseUrlIn(home.folder))
  await client.connect()
  // Nothing of it is to stay.
  await client.query('BEGIN')
})
afterEach(async () => {
  await client.end()
  await home.remove()
})

const writeCount = async () =>
  JSON.stringify((await client.query('SELECT last_value, is_called FROM "write_count"')).rows)

/** The number of each workspace's catalogue, by slug. */
async function catalogues(): Promise<Map<string, string>> {
  const { rows } = await client.query(
    'SELECT w."slug", r."catalogue" FROM "Workspace" w JOIN "Revision" r ON r."workspaceId" = w."id" ORDER BY 1',
  )
  return new Map(rows.map(({ slug, catalogue }) => [slug, catalogue]))
}

/** The workspaces whose catalogue has another number after a statement. */
async function moved(statement: string): Promise<string[]> {
  const before = await catalogues()
  await client.query(statement)
  const after = await catalogues()
  return [...after.keys()].filter((slug) => after.get(slug) !== before.get(slug))
}

/** Whether this transaction shares the lock of writers. */
const sharesLock = async () => {
  const { rows } = await client.query(
    `SELECT 1 FROM pg_locks WHERE pid = pg_backend_pid() AND locktype = 'advisory' AND mode = 'ShareLock' AND objid = 2958402986`,
  )
  return rows.length > 0
}

describe('what an import reads', () => {
  test.each(['Account', 'Workspace', 'ApiKey', 'ApiKeyItem', 'Item', 'Purchase'])(
    'every statement that writes to %s takes a number, and shares the lock of writers',
    async (table) => {
      const { rows } = await client.query(
        `SELECT column_name AS name FROM information_schema.columns WHERE table_name = $1 AND ordinal_position = 1`,
        [table],
      )
      const column = `"${rows[0]!.name}"`
      const statements = [
        `UPDATE "${table}" SET ${column} = ${column}`,
        `INSERT INTO "${table}" SELECT * FROM "${table}" WHERE FALSE`,
        `DELETE FROM "${table}" WHERE FALSE`,
        `TRUNCATE "${table}" CASCADE`,
      ]
      for (const statement of statements) {
        const before = await writeCount()
        await client.query('SAVEPOINT before')
        await client.query(statement)
        expect(await writeCount(), statement).not.toBe(before)
        expect(await sharesLock(), statement).toBe(true)
        // Gives the lock back.
        await client.query('ROLLBACK TO before')
        expect(await sharesLock()).toBe(false)
      }
    },
  )
})

describe('the catalogue of a workspace', () => {
  /** An item that nothing is bound to, or it could not go. */
  const free = async () => {
    for (const table of ['ApiKeyItem', 'Purchase'])
      expect(await moved(`DELETE FROM "${table}" WHERE "itemId" = 101`)).toEqual([])
  }

  test('has another number when an item is changed, and no other has', async () => {
    expect(await moved('UPDATE "Item" SET "support" = NOT "support" WHERE "id" = 101')).toEqual([
      'ada-studio',
    ])
  })

  test('has another number when an item goes, and when it comes', async () => {
    await free()
    await client.query('CREATE TEMP TABLE kept ON COMMIT DROP AS SELECT * FROM "Item" WHERE "id" = 101')
    expect(await moved('DELETE FROM "Item" WHERE "id" = 101')).toEqual(['ada-studio'])
    expect(await moved('INSERT INTO "Item" SELECT * FROM kept')).toEqual(['ada-studio'])
  })

  test('has another number on both sides when an item moves', async () => {
    await free()
    const bobs = `(SELECT "id" FROM "Workspace" WHERE "slug" = 'bob-works')`
    expect(await moved(`UPDATE "Item" SET "workspaceId" = ${bobs} WHERE "id" = 101`)).toEqual([
      'ada-studio',
      'bob-works',
    ])
  })

  test('has another number when all items are gone at once', async () => {
    expect(await moved('TRUNCATE "Item" CASCADE')).toEqual([...(await catalogues()).keys()])
  })

  test('has a number from the first on', async () => {
    const copy = `INSERT INTO "Workspace" ("id", "accountId", "slug", "name", "createdAt")
      SELECT 9999, "accountId", 'new', "name", "createdAt" FROM "Workspace" WHERE "slug" = 'empty'`
    expect(await moved(copy)).toEqual(['new'])
  })
})
