import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type PostgresServer, startPostgres } from '@saleproof/postgres'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { build, clone, git, install, lastRelease } from './clone.ts'
import { installTarballs } from './install.ts'
import { root } from './repository.ts'
import { packFrom } from './tarball.ts'
import { type Build, upgradeProblems } from './upgrade.ts'

// Tests the upgrade test itself: on a made-up release, which is a tag in a copy of the repository.

let folder: string
let repository: string
let before: Build
let example: string

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

describe('from a tag', () => {
  let next: string

  beforeAll(() => {
    const copy = join(folder, 'copy')
    clone(repository, { ref: lastRelease(repository)!, folder: copy })
    install(copy)
    build(copy)
    before = [process.execPath, join(copy, 'apps/api/bin/saleproof.js')]
    example = join(copy, 'apps/api/docs/example.ndjson')
    next = join(folder, 'next')
    const tarballs = (['@saleproof/schema', '@saleproof/api'] as const).map((name) =>
      packFrom(copy, name, join(folder, 'packed')),
    )
    installTarballs(tarballs, { folder: next, node: process.execPath })
  })

  /** Upgrades to the same service with one more migration. */
  async function withMigration<T>(path: string, sql: string, upgrade: (after: Build) => Promise<T>) {
    const api = join(next, 'node_modules/@saleproof/api')
    const migration = join(api, 'prisma', path)
    mkdirSync(migration)
    writeFileSync(join(migration, 'migration.sql'), sql)
    try {
      return await upgrade([process.execPath, join(api, 'bin/saleproof.js')])
    } finally {
      rmSync(migration, { recursive: true })
    }
  }

  const upgradeTo = (name: string, sql: string) =>
    withMigration(`migrations/29990101000000_${name}`, sql, (after) =>
      upgradeProblems({ before, after, example, folder: join(folder, name) }),
    )

  test('a migration that only adds changes no response and can be undone', async () => {
    expect(await upgradeTo('expand', 'CREATE TABLE "Added" ("id" TEXT NOT NULL PRIMARY KEY);\n')).toEqual([])
  })

  test('a migration that loses sales is found', async () => {
    const problems = await upgradeTo('lose', 'DELETE FROM "PurchaseChange"; DELETE FROM "Purchase";\n')
    const lost =
      /^after the upgrade: validation of code \d+, base, key \d, en: 404 purchase_not_found en instead of 200 en$/
    expect(problems).toContainEqual(expect.stringMatching(lost))
    expect(problems).toContainEqual('a record of type purchase was lost or changed')
    // The copy still has them.
    expect(problems.filter((problem) => problem.startsWith('after going back:'))).toEqual([])
  })

  test('a migration that changes a response is found', async () => {
    const problems = await upgradeTo('change', `UPDATE "Item" SET "name" = 'Another';\n`)
    expect(problems).toContainEqual(
      expect.stringMatching(/^after the upgrade: all items, base, key \d, en: another body$/),
    )
  })

  describe('on PostgreSQL', () => {
    let server: PostgresServer
    beforeAll(async () => {
      server = await startPostgres()
    })
    afterAll(() => server.remove())

    async function upgradeServerTo(name: string, sql: string) {
      const client = new pg.Client(server.url())
      await client.connect()
      await client.query(`CREATE DATABASE "${name}"`).finally(() => client.end())
      const target = { folder: join(folder, `${name}-on-server`), databaseUrl: server.url(name) }
      return withMigration(`migrations-postgresql/29990101000000_${name}`, sql, (after) =>
        upgradeProblems({ before, after, example, ...target }),
      )
    }

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
