import { dirname, join } from 'node:path'
import { parseAst } from 'rolldown/parseAst'
import { describe, expect, test } from 'vitest'
import { files, folderOf, packages, read, sources } from './repository.ts'
import { type Node, walk } from './syntax.ts'

const code = files.filter((file) => /\.[cm]?[jt]sx?$/.test(file))

const parse = (file: string) =>
  parseAst(read(file), { lang: file.endsWith('x') ? 'tsx' : 'ts' }) as unknown as Node

function importsOf(file: string): string[] {
  const found: string[] = []
  walk(parse(file), (node) => {
    const source = node.source as { value?: unknown } | undefined
    if (/^(Import|Export)/.test(node.type) && typeof source?.value === 'string') found.push(source.value)
  })
  return found
}

const imports = code.flatMap((file) => importsOf(file).map((name) => ({ file, name })))
const apps = packages.filter(({ folder }) => folder.startsWith('apps/')).map(({ manifest }) => manifest.name)
const packageOf = (name: string) =>
  name
    .split('/')
    .slice(0, name.startsWith('@') ? 2 : 1)
    .join('/')
const isRelative = (name: string) => name.startsWith('.')
const told = ({ file, name }: { file: string; name: string }) => `${file}: ${name}`

test('the check reads imports', () => {
  expect(imports.length).toBeGreaterThan(500)
})

const made = /\/(?:generated|dist)\/|\.css$/

test('every file that is imported is one that is committed', () => {
  const missing = imports
    .filter(({ name }) => isRelative(name) && /\.\w+$/.test(name) && !made.test(name))
    .filter(({ file, name }) => !files.includes(join(dirname(file), name)))
  expect(missing.map(told)).toEqual([])
})

// The bench measures a peer on the same generated Prisma client, so that the two differ in nothing else.
const isBenchPeer = ({ file, name }: { file: string; name: string }) =>
  file.startsWith('tooling/bench/') && name.startsWith('@saleproof/api/src/generated/')

test('nothing imports from an app, and no file reaches into another package', () => {
  const others = imports.filter((found) => !isBenchPeer(found))
  const wrong = others.filter(({ file, name }) =>
    isRelative(name)
      ? folderOf(join(dirname(file), name)) !== folderOf(file)
      : apps.includes(packageOf(name)),
  )
  expect(wrong.map(told)).toEqual([])
})

describe('what the published packages are made of', () => {
  const wrong = (folder: string, allowed: (file: string) => readonly string[]) =>
    imports
      .filter(({ file }) => file.startsWith(`${folder}/src/`) && sources.includes(file))
      .filter(({ file, name }) => !isRelative(name) && !allowed(file).includes(packageOf(name)))
      .map(told)

  test('schema: valibot alone, and what makes JSON Schema in its entry for OpenAPI', () => {
    const openapi = ['valibot', '@valibot/to-json-schema']
    expect(wrong('packages/schema', (file) => (file.includes('/openapi/') ? openapi : ['valibot']))).toEqual(
      [],
    )
  })

  test('sdk: schema, valibot where members are checked, Node.js in the command alone', () => {
    const allowed = (file: string) =>
      file.includes('/cli/') ? ['node:util', 'node:stream'] : ['@saleproof/schema', 'valibot']
    expect(wrong('packages/sdk', allowed)).toEqual([])
  })
})

test('`process` is touched in the entry files alone', () => {
  const entries = ['apps/api/src/main.ts', 'packages/sdk/src/cli/main.ts']
  // Asks whether there is a `process` at all: a client runs in browsers as well.
  entries.push('packages/sdk/src/options.ts')
  const touching = sources.filter((file) => {
    if (file.startsWith('tooling/') || entries.includes(file)) return false
    let touches = importsOf(file).some((name) => /^(node:)?process$/.test(name))
    walk(parse(file), (node) => {
      const object = node.object as Node | undefined
      if (node.type === 'MemberExpression' && object?.type === 'Identifier' && object.name === 'process')
        touches = true
    })
    return touches
  })
  expect(touching).toEqual([])
})
