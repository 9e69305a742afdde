import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type PostgresServer, startPostgres } from '@saleproof/postgres'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { build, clone, git, install } from './clone.ts'
import { installTarballs } from './install.ts'
import { lastRelease } from './last-release.ts'
import { root } from './repository.ts'
import { packFrom } from './tarball.ts'
import { upgradeProblems } from './upgrade.ts'
import { upgradeProblemsOnPostgres } from './upgrade-on-postgres.ts'
import type { Build } from './upgraded-data.ts'

// The mechanism that tests an upgrade from the last release, on a release that never was: a tag in a copy of the repository.

let workplace: string
let repository: string
let before: Build
let example: string

beforeAll(() => {
  workplace = mkdtempSync(join(tmpdir(), 'saleproof-upgrade-'))
  repository = join(workplace, 'repository')
  clone(root, { folder: repository })
})

afterAll(() => {
  if (workplace) rmSync(workplace, { recursive: true, force: true })
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
    const copy = join(workplace, 'copy')
    clone(repository, { ref: lastRelease(repository)!, folder: copy })
    install(copy)
    build(copy)
    before = [process.execPath, join(copy, 'apps/api/bin/saleproof.js')]
    example = join(copy, 'apps/api/docs/example.ndjson')
    next = join(workplace, 'next')
    const tarballs = (['@saleproof/schema', '@saleproof/api'] as const).map((name) =>
      packFrom(copy, name, join(workplace, 'packed')),
    )
    installTarballs(tarballs, { folder: next, node: process.execPath })
  })

  /** Gives the same service with one more migration to what upgrades to it. */
  async function withMigration<T>(folder: string, sql: string, upgrade: (after: Build) => Promise<T>) {
    const api = join(next, 'node_modules/@saleproof/api')
    const migration = join(api, 'prisma', folder)
    mkdirSync(migration)
    writeFileSync(join(migration, 'migration.sql'), sql)
    try {
      return await upgrade([process.execPath, join(api, 'bin/saleproof.js')])
    } finally {
      rmSync(migration, { recursive: true })
    }
  }

  /** The problems of an upgrade. */
  const upgradeTo = (name: string, sql: string) =>
    withMigration(`migrations/29990101000000_${name}`, sql, (after) =>
      upgradeProblems({ before, after, example, folder: join(workplace, name) }),
    )

  test('a migration that only adds is noticed by nobody, and there is a way back', async () => {
    expect(await upgradeTo('expand', 'CREATE TABLE "Added" ("id" TEXT NOT NULL PRIMARY KEY);\n')).toEqual([])
  })

  test('a migration that loses sales is found', async () => {
    const problems = await upgradeTo('lose', 'DELETE FROM "Purchase";\n')
    const lost =
      /^after the upgrade: validation of code \d+, base, key \d, en: 404 purchase_not_found en instead of 200 en$/
    expect(problems).toContainEqual(expect.stringMatching(lost))
    expect(problems).toContainEqual('a record of the type purchase was lost or changed')
    // The copy of before still has them.
    expect(problems.filter((problem) => problem.startsWith('after going back:'))).toEqual([])
  })

  test('a migration that changes an answer is found', async () => {
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
      const places = { folder: join(workplace, `${name}-on-server`), databaseUrl: server.url(name) }
      return withMigration(`migrations-postgresql/29990101000000_${name}`, sql, (after) =>
        upgradeProblemsOnPostgres({ before, after, example, ...places }),
      )
    }

    test('a migration that only adds is noticed by nobody, the instances of before included', async () => {
      const added = 'CREATE TABLE "Added" ("id" TEXT NOT NULL PRIMARY KEY);\n'
      expect(await upgradeServerTo('expand', added)).toEqual([])
    })

    test('a migration that takes away what instances of before need is found', async () => {
      const problems = await upgradeServerTo('contract', 'ALTER TABLE "Item" DROP COLUMN "tags" CASCADE;\n')
      expect(problems).toContainEqual(
        expect.stringMatching(/^of an instance of before, after the migration: item \d+, .* 503 unavailable/),
      )
    })
  })
})
