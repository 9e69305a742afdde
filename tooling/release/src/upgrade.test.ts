import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { build, clone, git, install } from './clone.ts'
import { installTarballs } from './install.ts'
import { lastRelease } from './last-release.ts'
import { root } from './repository.ts'
import { pack } from './tarball.ts'
import { type Build, upgradeProblems } from './upgrade.ts'

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
      pack(name, { root: copy, folder: join(workplace, 'packed') }),
    )
    installTarballs(tarballs, { folder: next, node: process.execPath })
  })

  /** The problems of an upgrade to the same service with one more migration. */
  async function upgradeTo(name: string, sql: string) {
    const api = join(next, 'node_modules/@saleproof/api')
    const migration = join(api, `prisma/migrations/29990101000000_${name}`)
    mkdirSync(migration)
    writeFileSync(join(migration, 'migration.sql'), sql)
    try {
      const after: Build = [process.execPath, join(api, 'bin/saleproof.js')]
      return await upgradeProblems({ before, after, example, folder: join(workplace, name) })
    } finally {
      rmSync(migration, { recursive: true })
    }
  }

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
})
