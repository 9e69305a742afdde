import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type PostgresServer, startPostgres } from '@saleproof/postgres'
import { clone, git, install } from '@saleproof/process'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { build, createBuilds, lastRelease } from './builds.ts'
import { root } from './repository.ts'
import { type Build, type Filled, fillDatabase, upgradeProblems } from './upgrade.ts'

// Tests the upgrade test itself: on a made-up release, which is a tag in a copy of the repository.

let folder: string
let repository: string

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'saleproof-upgrade-'))
  repository = join(folder, 'repository')
  clone(root, { folder: repository })
})

afterAll(() => {
  if (folder) rmSync(folder, { recursive: true, force: true })
})

const commit = (message: string) =>
  git(
    [
      '-c',
      'user.name=Test',
      '-c',
      'user.email=test@example.com',
      'commit',
      '--quiet',
      '--allow-empty',
      '-m',
      message,
    ],
    repository,
  )

test('the last release is the newest tag of the service that comes before', () => {
  expect(lastRelease(repository)).toBeUndefined()
  for (const tag of [
    '@saleproof/sdk@9.0.0',
    '@saleproof/api@0.2.0',
    '@saleproof/api@0.10.0',
    '@saleproof/api@0.11.0-rc.0',
  ])
    git(['tag', tag], repository)
  expect(lastRelease(repository)).toBe('@saleproof/api@0.10.0')
  git(['checkout', '--quiet', '-b', 'elsewhere'], repository)
  commit('A release of another line')
  git(['tag', '@saleproof/api@1.0.0'], repository)
  git(['checkout', '--quiet', '--detach', 'HEAD~1'], repository)
  expect(lastRelease(repository)).toBe('@saleproof/api@0.10.0')
})

const commandIn = (application: string): Build => [process.execPath, join(application, 'bin/saleproof.js')]

describe('from a tag', () => {
  let copy: string
  let next: string
  let filled: Filled

  const fill = (name: string, databaseUrl?: string) =>
    fillDatabase({
      before: commandIn(join(copy, 'apps/api')),
      example: join(copy, 'apps/api/docs/example.ndjson'),
      folder: join(folder, name),
      databaseUrl,
    })

  beforeAll(async () => {
    copy = join(folder, 'copy')
    clone(repository, { ref: lastRelease(repository)!, folder: copy })
    install(copy)
    build(copy, createBuilds(root))
    next = join(copy, 'apps/next')
    cpSync(join(copy, 'apps/api'), next, { recursive: true, verbatimSymlinks: true })
    filled = await fill('filled')
  })

  /** Upgrades a copy of a database to the same service with one more migration. */
  async function upgradeCopy(source: Filled, databaseUrl: string | undefined, path: string, sql: string) {
    const migration = join(next, 'prisma', path)
    const own = { ...source, databaseUrl, folder: join(folder, path) }
    cpSync(source.folder, own.folder, { recursive: true })
    mkdirSync(migration)
    writeFileSync(join(migration, 'migration.sql'), sql)
    try {
      return await upgradeProblems(own, commandIn(next))
    } finally {
      rmSync(migration, { recursive: true })
    }
  }

  const upgradeTo = (name: string, sql: string) =>
    upgradeCopy(filled, undefined, `migrations/29990101000000_${name}`, sql)

  test('a migration that only adds changes no response and can be undone', async () => {
    expect(await upgradeTo('expand', 'CREATE TABLE "Added" ("id" TEXT NOT NULL PRIMARY KEY);\n')).toEqual([])
  })

  test('a migration that loses sales and changes a response is found', async () => {
    const sql = `DELETE FROM "PurchaseChange"; DELETE FROM "Purchase"; UPDATE "Item" SET "name" = 'Another';\n`
    const problems = await upgradeTo('lose', sql)
    const lost =
      /^after the upgrade: validation of code \d+, base, key \d, en: 404 purchase_not_found en instead of 200 en$/
    expect(problems).toContainEqual(expect.stringMatching(lost))
    expect(problems).toContainEqual('a record of type purchase was lost or changed')
    expect(problems).toContainEqual(
      expect.stringMatching(/^after the upgrade: all items, base, key \d, en: another body$/),
    )
    // The copy still has them.
    expect(problems.filter((problem) => problem.startsWith('after going back:'))).toEqual([])
  })

  describe('on PostgreSQL', () => {
    let server: PostgresServer
    let filledServer: Filled

    async function createDatabase(name: string, template = 'template1') {
      const client = new pg.Client(server.url())
      await client.connect()
      await client.query(`CREATE DATABASE "${name}" TEMPLATE "${template}"`).finally(() => client.end())
      return server.url(name)
    }

    beforeAll(async () => {
      server = await startPostgres()
      filledServer = await fill('filled-on-server', await createDatabase('filled'))
    })
    afterAll(() => server.remove())

    const upgradeServerTo = async (name: string, sql: string) =>
      upgradeCopy(
        filledServer,
        await createDatabase(name, 'filled'),
        `migrations-postgresql/29990101000000_${name}`,
        sql,
      )

    test('a migration that only adds changes no response, not even of previous instances', async () => {
      const added = 'CREATE TABLE "Added" ("id" TEXT NOT NULL PRIMARY KEY);\n'
      expect(await upgradeServerTo('expand', added)).toEqual([])
    })

    test('a migration that drops a column of the previous build is found', async () => {
      const problems = await upgradeServerTo('contract', 'ALTER TABLE "Item" DROP COLUMN "tags" CASCADE;\n')
      expect(problems).toContainEqual(
        expect.stringMatching(/^previous build after the migration: item \d+, .* 503 unavailable/),
      )
    })
  })
})
