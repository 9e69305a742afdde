import { parseAst } from 'rolldown/parseAst'
import { describe, expect, test } from 'vitest'
import { files, packages, read, readJson, sources } from './repository.ts'
import { allFunctions, type Node, ownLines } from './syntax.ts'

// Lists without a decision in them, which are easiest to read in one piece.
const lists: Readonly<Record<string, number>> = {
  // The composition root.
  'apps/api/src/service.ts': 60,
  // The statements of the fast path.
  'apps/api/src/api/fast-path/statements.ts': 55,
}

describe('what is read by people stays short', () => {
  test('no function has more than 50 lines of its own', () => {
    const long = sources.flatMap((file) => {
      const text = read(file)
      const tree = parseAst(text, { lang: file.endsWith('x') ? 'tsx' : 'ts' }) as unknown as Node
      return allFunctions(tree)
        .map((node) => ({ line: text.slice(0, node.start).split('\n').length, lines: ownLines(node, text) }))
        .filter(({ lines }) => lines > (lists[file] ?? 50))
        .map(({ line, lines }) => `${file}:${line}: ${lines} lines`)
    })
    expect(long).toEqual([])
  })

  test('no file has more than 250 lines', () => {
    const long = sources.filter((file) => read(file).trimEnd().split('\n').length > 250)
    expect(long).toEqual([])
  })

  test('CONTRIBUTING.md has fewer than 120 lines', () => {
    expect(read('CONTRIBUTING.md').split('\n').length).toBeLessThan(120)
  })
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
