import { fork } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, cpSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '../../src/open-database.ts'
import { saleproof } from '../support/command.ts'
import { migrations } from '../support/folders.ts'
import { ndjson, temporaryFolder } from '../support/harness.ts'
import { spawnSaleproof } from '../support/process.ts'
import { records } from '../support/records.ts'

/** A folder with a database that holds records, and its secret: each test breaks a copy of it. */
let home: Awaited<ReturnType<typeof temporaryFolder>>
beforeAll(async () => {
  home = await temporaryFolder()
  const input = ndjson(records)
  const loaded = await saleproof(['import', '-'], { cwd: join(home.folder), input })
  expect(loaded.code, loaded.stderr).toBe(0)
})
afterAll(() => home.remove())

let count = 0
function copy() {
  const cwd = join(home.folder, `copy-${count++}`)
  cpSync(join(home.folder, 'data'), join(cwd, 'data'), { recursive: true })
  const database = join(cwd, 'data/saleproof.db')
  return { cwd, folder: join(cwd, 'data'), database, secret: `${database}.secret` }
}

type Broken = ReturnType<typeof copy>

function sql({ database: file }: Broken, text: string) {
  const database = new Sqlite(file)
  database.exec(text)
  database.close()
}

interface Case {
  name: string
  break?: (copy: Broken) => void
  env?: Record<string, string>
  /** Whether it takes a process of its own: permissions do not stop root, and a process has workers. */
  spawned?: boolean
  /** The line, without the path of the database. */
  says: RegExp
  repair?: (copy: Broken) => void
}

const owned = (mode: number, path: (copy: Broken) => string) => ({
  break: (copy: Broken) => chmodSync(path(copy), mode),
  spawned: true,
  // What may not be written cannot be removed either.
  repair: (copy: Broken) => chmodSync(path(copy), 0o700),
})

const cases: readonly Case[] = [
  {
    name: 'a file that is no database',
    break: ({ database }) => writeFileSync(database, 'not a database '.repeat(1000)),
    says: /^the file that DATABASE_URL names is not a database of Saleproof \(FILE\): correct DATABASE_URL$/,
  },
  ...['.secret', '.usage', '-wal'].map((suffix) => ({
    name: `an emptied database beside its ${suffix}`,
    break: ({ database, secret }: Broken) => {
      rmSync(secret)
      writeFileSync(database + suffix, 'abcdefgh'.repeat(8))
      writeFileSync(database, '')
    },
    says: new RegExp(
      `^the database FILE is empty, and what belongs to it is there: put it back or restore a backup; or remove FILE${suffix} to begin with an empty one$`,
    ),
  })),
  {
    name: 'a database of something else',
    break: (copy) => {
      rmSync(copy.database)
      sql(copy, 'CREATE TABLE notes (text)')
    },
    says: /^the database holds tables that are not Saleproof’s: set DATABASE_URL to a file of its own$/,
  },
  {
    name: 'a folder in the place of the database',
    break: ({ database }) => {
      rmSync(database)
      mkdirSync(database)
    },
    says: /^the database FILE is a folder: set DATABASE_URL to a file$/,
  },
  {
    name: 'links that lead in a circle',
    break: ({ database }) => {
      rmSync(database)
      symlinkSync('other.db', database)
      symlinkSync('saleproof.db', join(database, '../other.db'))
    },
    says: /^the database FILE cannot be opened \(ELOOP\): check its folder and permissions$/,
  },
  {
    name: 'a file in the place of the folder',
    env: { DATABASE_URL: 'file:./data/saleproof.db/inside.db' },
    says: /^the database FILE\/inside\.db cannot be opened \(\w+\): check its folder and permissions$/,
  },
  {
    name: 'a database of an earlier build',
    break: (copy) => sql(copy, `UPDATE _prisma_migrations SET migration_name = '20260101000000_init'`),
    says: /^the database is of an earlier build \(it has migration 20260101000000_init\): run "saleproof export" with that build, and import the result into a new database$/,
  },
  {
    name: 'a newer database',
    break: (copy) =>
      sql(
        copy,
        `INSERT INTO _prisma_migrations SELECT 'x', checksum, finished_at, '29991231000000_later', logs, NULL, started_at, 1
         FROM _prisma_migrations LIMIT 1`,
      ),
    says: /^the database is newer than this build \(it has migration 29991231000000_later\): install the newer version again$/,
  },
  {
    name: 'a migration that was left unfinished',
    break: (copy) => sql(copy, 'UPDATE _prisma_migrations SET finished_at = NULL'),
    says: /^migration \w+ was left unfinished: restore the backup that was made before it$/,
  },
  {
    name: 'a migration that was edited',
    break: (copy) => sql(copy, `UPDATE _prisma_migrations SET checksum = 'x'`),
    says: /^migration \w+ is not the one that was applied: install an unchanged build$/,
  },
  {
    name: 'a database that is cut off',
    break: ({ database }) => writeFileSync(database, Buffer.from('SQLite format 3\0'.padEnd(100, '\x01'))),
    says: /^(the file that DATABASE_URL names is not a database of Saleproof \(FILE\): correct DATABASE_URL|the database is damaged \(FILE\): restore a backup)$/,
  },
  {
    name: 'no permission on the folder',
    ...owned(0o000, ({ folder }) => folder),
    says: /^the database FILE cannot be opened \(EACCES\): check its folder and permissions$/,
  },
  {
    name: 'no permission to write to the folder',
    break: ({ folder, database }) => {
      rmSync(`${database}.lock`)
      chmodSync(folder, 0o500)
    },
    spawned: true,
    repair: ({ folder }) => chmodSync(folder, 0o700),
    says: /^the database FILE cannot be opened \(EACCES\): check its folder and permissions$/,
  },
  {
    name: 'no permission to read the database',
    ...owned(0o000, ({ database }) => database),
    says: /^the database cannot be opened \(FILE\): check the permissions of its file and folder$/,
  },
  {
    name: 'no permission to write to the database',
    ...owned(0o400, ({ database }) => database),
    says: /^the database FILE cannot be opened \(EACCES\): check its folder and permissions$/,
  },
  {
    name: 'no permission to read the secret',
    ...owned(0o000, ({ secret }) => secret),
    says: /^the secret in FILE\.secret cannot be read \(EACCES\): check its permissions$/,
  },
  {
    name: 'no secret',
    break: ({ secret }) => rmSync(secret),
    says: /^the secret FILE\.secret is missing, and without it no API key works: put it back, or set SALEPROOF_SECRET to it$/,
  },
  {
    name: 'half of the secret',
    break: ({ secret }) => writeFileSync(secret, 'abcdefgh'),
    says: /^the secret in FILE\.secret is shorter than 32 characters: put the whole one back$/,
  },
  {
    name: 'another secret',
    break: ({ secret }) => writeFileSync(secret, 'abcdefgh'.repeat(8)),
    says: /^the secret in FILE\.secret is not the one that this database was made with: start with that one$/,
  },
  {
    name: 'an address that the machine has not',
    env: { HOST: '192.0.2.1' },
    says: /^this machine has no address 192\.0\.2\.1: set HOST to one that it has$/,
  },
  {
    name: 'an address that the machine has not, with two processes',
    env: { HOST: '192.0.2.1', WEB_CONCURRENCY: '2' },
    spawned: true,
    says: /^this machine has no address 192\.0\.2\.1: set HOST to one that it has$/,
  },
  {
    name: 'a nonexistent host',
    env: { HOST: 'no-such-host.invalid' },
    says: /^there is no host no-such-host\.invalid: set HOST to an address of this machine$/,
  },
  {
    name: 'an address of no network',
    env: { HOST: 'fe80::1' },
    // Where there is no IPv6, it is one that the machine has not.
    says: /^(?:cannot listen on fe80::1: set HOST to another address|this machine has no address fe80::1)[^\n]*$/,
  },
]

describe.concurrent('a start that fails says why in one line, and what to do', () => {
  test.each(cases)('$name', async ({ break: act, repair, env = {}, spawned = false, says }) => {
    const broken = copy()
    act?.(broken)
    try {
      const options = { cwd: broken.cwd, env: { PORT: '0', WEB_CONCURRENCY: '1', ...env } }
      const { code, stdout, stderr } = spawned
        ? await spawnSaleproof(['serve'], { ...options, ordinary: true })
        : await saleproof(['serve'], options)
      expect(stderr.replaceAll(broken.database, 'FILE')).toMatch(new RegExp(`${says.source}\\n$`, 'm'))
      expect(stderr.split('\n')).toHaveLength(2)
      expect([code, stdout]).toEqual([1, ''])
      expect(stderr).not.toContain('abcdefgh')
    } finally {
      repair?.(broken)
    }
  })

  test('another process holds the database alone', async () => {
    const { cwd, database } = copy()
    const holder = fork(join(import.meta.dirname, '../faults/holder.fixture.ts'), [database])
    onTestFinished(() => void holder.kill('SIGKILL'))
    await once(holder, 'message')
    const { code, stdout, stderr } = await saleproof(['serve'], { cwd, env: { PORT: '0' } })
    const says = `another command or an import is writing to the database (${database}): try again when it is done`
    expect([code, stdout, stderr]).toEqual([1, '', `${says}\n`])
  })

  test('a command asks for the migrations that a start would apply', async () => {
    const { cwd } = copy()
    const folder = join(cwd, 'migrations')
    cpSync(migrations, folder, { recursive: true })
    mkdirSync(join(folder, '29990101000000_next'))
    writeFileSync(join(folder, '29990101000000_next/migration.sql'), 'CREATE TABLE "Next" ("id" INTEGER);')
    const options = {
      databaseUrl: 'file:./data/saleproof.db',
      secret: undefined,
      cwd,
      migrations: folder,
      busyTimeoutMs: 1000,
      clock: () => new Date(),
    }
    await expect(openDatabase({ ...options, migrate: 'when new' })).rejects.toThrow(
      'the database lacks 1 migrations: run "saleproof migrate"',
    )
    await (await openDatabase({ ...options, migrate: 'always' })).close()
    await (await openDatabase({ ...options, migrate: 'when new' })).close()
  })
})
