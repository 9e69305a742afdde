import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { changeIn } from '../support/database.ts'
import { temporaryFolder } from '../support/harness.ts'
import { spawnSaleproof } from '../support/process.ts'

let home: Awaited<ReturnType<typeof temporaryFolder>>
beforeEach(async () => {
  home = await temporaryFolder()
})
afterEach(() => home.remove())

interface Case {
  name: string
  sql?: string
  env?: Record<string, string>
  args?: readonly string[]
  says: RegExp
}

const cases: readonly Case[] = [
  {
    name: 'a database of an earlier build',
    sql: `UPDATE _prisma_migrations SET migration_name = '20260101000000_init'`,
    says: /^the database is of an earlier build \(it has migration 20260101000000_init\): run "saleproof export" with that build, and import the result into a new database$/,
  },
  {
    name: 'a newer database',
    sql: `INSERT INTO _prisma_migrations SELECT 'x', checksum, finished_at, '29990101000000_drop_after_29980101000000', logs, NULL, started_at, 1
      FROM _prisma_migrations LIMIT 1`,
    says: /^the database is newer than this build \(it has migration 29990101000000_drop_after_29980101000000\): install the newer version again$/,
  },
  {
    name: 'a migration that was edited',
    sql: `UPDATE _prisma_migrations SET checksum = 'x'`,
    says: /^migration \w+ is not the one that was applied: install an unchanged build$/,
  },
  {
    name: 'a database of something else',
    sql: 'DROP TABLE _prisma_migrations',
    says: /^the database holds tables that are not Saleproof’s: set DATABASE_URL to a database of its own$/,
  },
  {
    name: 'an address that the machine has not',
    env: { HOST: '192.0.2.1' },
    says: /^this machine has no address 192\.0\.2\.1: set HOST to one that it has$/,
  },
  {
    name: 'an address that the machine has not, with two processes',
    env: { HOST: '192.0.2.1', WEB_CONCURRENCY: '2' },
    says: /^this machine has no address 192\.0\.2\.1: set HOST to one that it has$/,
  },
  {
    name: 'a demo that cannot be loaded',
    sql: `DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET default_transaction_read_only = on', current_database()); END $$`,
    args: ['--demo'],
    says: /^the database is read-only, a standby perhaps: set DATABASE_URL to the primary \(25006\)$/,
  },
]

describe('a start that fails says why in one line, and ends', () => {
  test.each(cases)('$name', async ({ sql, env = {}, args = [], says }) => {
    // What a first start writes is there.
    expect((await spawnSaleproof(['key', 'list'], { cwd: home.folder })).code).toBe(0)
    if (sql) await changeIn(home, sql)
    const began = performance.now()
    const { code, stdout, stderr } = await spawnSaleproof(['serve', ...args], {
      cwd: home.folder,
      env: { PORT: '0', WEB_CONCURRENCY: '1', ...env },
    })
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr.trim()).toMatch(says)
    // An idle connection is kept for ten seconds, and keeps the process.
    expect(performance.now() - began).toBeLessThan(9000)
  })
})
