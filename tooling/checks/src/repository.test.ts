import { run } from '@saleproof/process'
import { expect, test } from 'vitest'
import { files, packages, read, readJson, root } from './repository.ts'

test('CONTRIBUTING.md has fewer than 120 lines', () => {
  expect(read('CONTRIBUTING.md').split('\n').length).toBeLessThan(120)
})

test('no file names the host of a package registry', () => {
  // In two pieces, so that this file is not found.
  const host = new RegExp(['regis', 'try\\.[\\w-]+\\.\\w|npmjs', '\\.(org|com)|verdac', 'cio'].join(''), 'i')
  const text = files.filter((file) => !/\.(png|ico|woff2?|gz|br|db)$/.test(file))
  expect(text.filter((file) => host.test(read(file)))).toEqual([])
})

test('every published package that was not released yet has a changeset', () => {
  const { fixed } = readJson('.changeset/config.json') as { fixed: string[][] }
  const changesets = files.filter((file) => /^\.changeset\/.+\.md$/.test(file))
  const named = changesets.flatMap((file) => {
    const head = /^---\n([\s\S]*?)\n---\n/.exec(read(file))?.[1] ?? ''
    return [...head.matchAll(/^['"]?([^'":]+)['"]?: (?:patch|minor|major)$/gm)].map(([, name = '']) => name)
  })
  const published = packages.filter(({ manifest }) => !manifest.private)
  const names = published.map(({ manifest }) => manifest.name as string)
  expect(names.length).toBeGreaterThan(0)
  expect(named.filter((name) => !names.includes(name))).toEqual([])
  const covered = new Set(named.flatMap((name) => fixed.find((group) => group.includes(name)) ?? [name]))
  const unreleased = published.filter(({ folder }) => !files.includes(`${folder}/CHANGELOG.md`))
  expect(unreleased.map(({ manifest }) => manifest.name).filter((name) => !covered.has(name))).toEqual([])
})

test('git ignores the packages that deployment.md makes in a clone', async () => {
  const { stdout } = await run(['git', 'check-ignore', 'release/api.tgz'], { cwd: root })
  expect(stdout).toBe('release/api.tgz\n')
})

test.each(files.filter((file) => file.endsWith('.patch')))(
  '%s applies: else run `pnpm examples:update`',
  async (file) => {
    const { stderr } = await run(['git', 'apply', '--check', file], { cwd: root })
    expect(stderr).toBe('')
  },
)
