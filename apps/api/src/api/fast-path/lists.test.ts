import type { Shape } from '@saleproof/schema'
import type Sqlite from 'better-sqlite3'
import fc from 'fast-check'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../test/support/import-database.ts'
import { samples } from '../../../test/support/import-records.ts'
import { createLists } from './lists.ts'
import { prepareStatements, type Statements } from './statements.ts'

let database: TestDatabase
let statements: Statements
let workspaceId: number

beforeEach(async () => {
  database = await createTestDatabase()
  await database.load(samples)
  statements = prepareStatements(database.file, () => undefined)
  workspaceId = write((db) => db.prepare<[], number>('SELECT id FROM Workspace').pluck().get() ?? 0)
})

afterEach(() => {
  statements.close()
  database.remove()
})

function write<Result>(act: (db: Sqlite.Database) => Result): Result {
  statements?.release()
  return database.withDatabase(act)
}

/** The workspace as a request finds it. */
function workspace() {
  statements.version()
  const revision = statements.revision.get(workspaceId)
  if (!revision) throw new Error('a workspace without revisions')
  return { workspaceId, catalogue: revision.catalogue }
}

const template = `kind, name, description, category, subCategory, options, demoLink, tags, thumbnail, previewImage,
  previewVideo, previewAudio, screenshots, priceRegular, priceExtended, currency, url, support`

const insert = (values: string) =>
  `INSERT OR REPLACE INTO Item (id, workspaceId, version, publishedAt, ${template}) SELECT ${values}, ${template}`

/** Days that several items share, so that their ids order them. */
const day = (number: number) => Date.UTC(2026, 0, (number % 5) + 1)

type Change = (db: Sqlite.Database) => void

const id = fc.integer({ min: 1000, max: 1012 })
const change: fc.Arbitrary<Change> = fc.oneof(
  fc.tuple(id, fc.nat(9)).map(
    ([number, published]): Change =>
      (db) =>
        db
          .prepare(`${insert(`?, workspaceId, '1.0', ?`)} FROM Item WHERE id < 1000 LIMIT 1`)
          .run(number, day(published)),
  ),
  fc.tuple(id, fc.string({ unit: 'grapheme', minLength: 1 })).map(
    ([number, name]): Change =>
      (db) =>
        db
          .prepare('UPDATE Item SET name = ? WHERE id = ?')
          .run(name.toWellFormed().replaceAll('\0', ''), number),
  ),
  fc.tuple(id, fc.nat(9)).map(
    ([number, published]): Change =>
      (db) =>
        db.prepare('UPDATE Item SET publishedAt = ? WHERE id = ?').run(day(published), number),
  ),
  fc.tuple(id, fc.boolean()).map(
    ([number, withdrawn]): Change =>
      (db) =>
        db.prepare('UPDATE Item SET withdrawnAt = ? WHERE id = ?').run(withdrawn ? day(1) : null, number),
  ),
  id.map(
    (number): Change =>
      (db) =>
        db.prepare('DELETE FROM Item WHERE id = ?').run(number),
  ),
  fc.boolean().map(
    (withdrawn): Change =>
      (db) =>
        db.prepare('UPDATE Item SET withdrawnAt = ? WHERE id < 1000').run(withdrawn ? day(1) : null),
  ),
)

test('a list after any changes is the one that SQLite makes as a whole', () => {
  const steps = fc.array(fc.array(change, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 12 })
  fc.assert(
    fc.property(steps, fc.constantFrom<Shape>('base', 'extended'), (rounds, shape) => {
      const lists = createLists({ statements })
      write((db) => db.exec('DELETE FROM Item WHERE id >= 1000; UPDATE Item SET withdrawnAt = NULL'))
      for (const changes of rounds) {
        lists.list(workspace(), shape)
        write((db) => {
          for (const apply of changes) apply(db)
        })
        const changed = lists.list(workspace(), shape)
        const whole = createLists({ statements }).list(workspace(), shape)
        expect(changed?.bytes.toString()).toBe(whole?.bytes.toString())
        expect(changed?.tag).toBe(whole?.tag)
      }
    }),
    { numRuns: 200 },
  )
})

const cpuOf = (act: () => unknown) => {
  const before = process.cpuUsage()
  act()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

test('a change of one item of 10,000 costs less than a third of the list', () => {
  write((db) =>
    db.exec(`WITH RECURSIVE n(id) AS (VALUES (1000) UNION ALL SELECT id + 1 FROM n WHERE id < 10999)
      ${insert(`n.id, workspaceId, '1.0', 1000 * (1700000000 + n.id)`)}
      FROM n, (SELECT * FROM Item WHERE id < 1000 LIMIT 1);
      UPDATE Item SET description = printf('%.1200c', 'x')`),
  )
  const kept = createLists({ statements })
  kept.list(workspace(), 'extended')
  const rounds = Array.from({ length: 7 }, (_, round) => {
    write((db) => db.prepare('UPDATE Item SET name = ? WHERE id = 5000').run(`Name ${round}`))
    const now = workspace()
    return {
      changed: cpuOf(() => kept.list(now, 'extended')),
      whole: cpuOf(() => createLists({ statements }).list(now, 'extended')),
    }
  })
  const least = (kind: 'changed' | 'whole') => Math.min(...rounds.map((round) => round[kind]))
  expect(least('changed')).toBeLessThan(least('whole') / 3)
})
