import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import Sqlite from 'better-sqlite3'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createSqliteMigrator } from '../../src/db/sqlite/migrate.ts'
import { createBackup } from '../../src/maintenance/backup/create-backup.ts'
import { restoreBackup } from '../../src/maintenance/backup/restore-backup.ts'
import { openUsageFile } from '../../src/usage/usage-file.ts'
import { migrations, temporaryFolder } from '../support/folders.ts'
import { seededRandom } from '../support/random.ts'

let place: Awaited<ReturnType<typeof temporaryFolder>>
beforeEach(async () => {
  place = await temporaryFolder()
})
afterEach(() => place.remove())

const clock = () => new Date('2026-03-01T12:00:00Z')

/** A backup whose accounts are all of one name. */
async function backupOf(name: string, accounts: number) {
  const databaseFile = join(place.folder, `${name}.db`)
  await createSqliteMigrator({ databaseFile, migrations, clock }).apply()
  const database = new Sqlite(databaseFile)
  database.exec(`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${accounts})
    INSERT INTO Account SELECT '${name}' || i, '${name}' || i, '', '', '', '', 0, 'USD', '', '', '', '{}', '', '',
      1704067200000, NULL FROM n`)
  database.close()
  openUsageFile(databaseFile).close()
  const target = join(place.folder, `${name}.backup`)
  await createBackup({ databaseFile, target, clock })
  return target
}

function stateOf(file: string) {
  const database = new Sqlite(file, { fileMustExist: true })
  try {
    expect(database.pragma('integrity_check', { simple: true })).toBe('ok')
    const rows = database.prepare(
      `SELECT rtrim(id, '0123456789') AS name, count(*) AS count FROM Account GROUP BY 1`,
    )
    return rows.all()
  } finally {
    database.close()
  }
}

test('a restore that is killed leaves the one database or the other, whole, and the next one works', {
  retry: 0,
}, async () => {
  const [one, two] = [await backupOf('one', 2000), await backupOf('two', 3000)]
  const databaseFile = join(place.folder, 'data/saleproof.db')
  const program = join(import.meta.dirname, 'killed-restore.ts')
  const seen = new Set<string>()
  const random = seededRandom()
  for (let round = 0; round < 12; round++) {
    const args = ['--conditions=@saleproof/source', program, databaseFile, one, two]
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
    const [restoreMs] = await once(child.stdout, 'data')
    await sleep(random.below(3 * Number(restoreMs)))
    child.kill('SIGKILL')
    await once(child, 'close')
    const state = JSON.stringify(stateOf(databaseFile))
    expect(['[{"name":"one","count":2000}]', '[{"name":"two","count":3000}]']).toContain(state)
    seen.add(state)
  }
  const options = { databaseFile, source: one, migrations, secret: undefined, force: true, clock }
  expect((await restoreBackup(options)).kept).toBeDefined()
  expect(stateOf(databaseFile)).toEqual([{ name: 'one', count: 2000 }])
  for (const name of readdirSync(join(databaseFile, '..')).filter((each) =>
    each.includes('.before-restore-'),
  ))
    if (!/\.usage|-(wal|shm|journal)$/.test(name)) stateOf(join(databaseFile, '..', name))
  expect(seen.size).toBe(2)
})
