import { rmSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { saleproof } from '../support/command.ts'
import { ndjson, temporaryFolder } from '../support/harness.ts'
import { records } from '../support/records.ts'

interface Listed {
  action: string
  actor: string
  subject: string | null
}

let home: Awaited<ReturnType<typeof temporaryFolder>>
beforeEach(async () => {
  home = await temporaryFolder()
})
afterEach(() => home.remove())

const run = (args: readonly string[], input?: string) =>
  saleproof(args, { cwd: home.folder, ...(input !== undefined && { input }) })

async function done(args: readonly string[], input?: string) {
  const result = await run(args, input)
  expect([result.code, result.code === 0 ? '' : result.stderr], args.join(' ')).toEqual([0, ''])
  return result
}

function inFile<T>(act: (database: Sqlite.Database) => T): T {
  const database = new Sqlite(join(home.folder, 'data/saleproof.db'))
  try {
    return act(database)
  } finally {
    database.close()
  }
}

const load = (more: readonly object[]) => done(['import', '-'], ndjson(more))
const listed = async (): Promise<Listed[]> =>
  JSON.parse((await done(['audit', 'list', '--json', '--limit', '500'])).stdout)

test('a backup takes its log along, and restoring it is recorded', async () => {
  await load(records)
  await done(['backup', 'copy.backup'])
  const before = await listed()
  expect(before.at(-1)!.action).toBe('backup')
  await done(['export'])
  await done(['restore', 'copy.backup', '--force'])
  const after = await listed()
  expect(after.slice(0, -1)).toEqual(before)
  expect(after.at(-1)).toMatchObject({ action: 'restore', actor: 'cli' })
  expect(after.at(-1)!.subject).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
})

const actions = () =>
  inFile((database) => database.prepare('SELECT action FROM AuditEntry ORDER BY number').pluck().all())

test('a backup and a restore are recorded without the secret', async () => {
  await load(records)
  rmSync(join(home.folder, 'data/saleproof.db.secret'))
  expect((await done(['backup', 'copy.backup'])).stderr).not.toContain('could not be recorded')
  await done(['restore', 'copy.backup', '--force'])
  expect(actions().slice(-2)).toEqual(['backup', 'restore'])
})

test('a backup is made without its record where nothing can be written', async () => {
  await load(records)
  inFile((database) =>
    database.exec(`CREATE TRIGGER refuse BEFORE INSERT ON AuditEntry BEGIN SELECT RAISE(ABORT, 'no'); END`),
  )
  const { stderr } = await done(['backup', 'copy.backup'])
  expect(stderr).toContain('could not be recorded')
})
