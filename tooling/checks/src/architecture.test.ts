import { join } from 'node:path'
import { runSync } from '@saleproof/process'
import { expect, test } from 'vitest'
import { codeSpans, fences } from './markdown.ts'
import { files, packages, read, root } from './repository.ts'

const page = 'docs/architecture.md'

/** Each workspace package, and the folders of `apps/api`. */
const folders = new Set(
  files.flatMap((file) => {
    const [, name] = /^((?:packages|apps|clients|tooling)\/[^/]+)\//.exec(file) ?? []
    const [, inApi] = /^apps\/api\/((?:src\/[^/]+|(?!src\/)[a-z]+))\//.exec(file) ?? []
    return [name, inApi].filter((folder) => folder !== undefined && folder !== 'apps/api')
  }),
)

test(`${page} names every folder, and no other`, () => {
  const named = codeSpans(read(page)).filter((code) =>
    /^(?:packages|apps|clients|tooling|src)\/|^[a-z]+$/.test(code),
  )
  expect([...folders].filter((folder) => !named.includes(folder!))).toEqual([])
  const tree = new Set([...folders, 'apps/api'])
  const gone = named.filter((code) => code.includes('/') && !tree.has(code))
  expect(gone.filter((code) => code !== 'api/fast-path' && !files.includes(code))).toEqual([])
})

/** The arrows of a drawing, each as `from --> to`; `a & b --> c` has two. */
const arrowsOf = (drawing: string) =>
  [...drawing.matchAll(/^ *(\S.*?) --> (.+)$/gm)].flatMap(([, from = '', to = '']) =>
    from.split(' & ').flatMap((one) => to.split(' & ').map((other) => `${one} --> ${other}`)),
  )

const [ofPackages = '', ofService = ''] = fences(read(page)).map(({ body }) => body)

test('every arrow between packages is a dependency', () => {
  const named = new Map(
    [...ofPackages.matchAll(/(\w+)\[(\w+\/\w+)\]/g)].map(([, name, folder]) => [name, folder]),
  )
  const dependenciesOf = (folder?: string) => {
    const { manifest } = packages.find((one) => one.folder === folder) ?? {}
    return Object.keys({ ...manifest?.dependencies, ...manifest?.devDependencies })
  }
  const arrows = arrowsOf(ofPackages.replaceAll(/\[[^\]]*\]/g, ''))
    .map((arrow) => arrow.split(' --> '))
    .filter((ends) => ends.every((name) => named.has(name)))
  expect(arrows.length).toBeGreaterThan(2)
  const drawn = arrows.filter(([from, to]) => !dependenciesOf(named.get(to)).includes(`@saleproof/${from}`))
  expect(drawn, 'drawn without a dependency').toEqual([])
})

test('every arrow between folders of the service is an import', () => {
  const source = 'apps/api/src/'
  const collapsed = ['--include-only', `^${source}`, '--collapse', `^${source}[^/]+`]
  const text = runSync(
    [
      join(root, 'node_modules/.bin/depcruise'),
      source,
      ...collapsed,
      '--exclude',
      String.raw`\.(?:test|fixture)\.ts$`,
      '--output-type',
      'json',
    ],
    { cwd: root },
  )
  const { modules }: { modules: { source: string; dependencies: { resolved: string }[] }[] } =
    JSON.parse(text)
  const imported = modules.flatMap((module) =>
    module.dependencies.map(({ resolved }) => `${module.source} --> ${resolved}`.replaceAll(source, '')),
  )
  const arrows = arrowsOf(ofService)
  expect(arrows.length).toBeGreaterThan(10)
  expect(
    arrows.filter((arrow) => !imported.includes(arrow)),
    `drawn in ${page} without an import`,
  ).toEqual([])
})
