import { execFile } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, expect, it } from 'vitest'

const run = promisify(execFile)
const packageRoot = join(import.meta.dirname, '..')
const folder = join(packageRoot, '.cache/readme')
const readme = readFileSync(join(packageRoot, 'README.md'), 'utf8')

// Every block of TypeScript, and the output that the block after it promises.
const blocks = [...readme.matchAll(/```ts\n([\s\S]*?)```\n(?:\n```text\n([\s\S]*?)```)?/g)]
const snippets = blocks.map(([, code, output], index) => ({
  file: join(folder, `${index}.ts`),
  code: code!,
  output,
}))

const skill = /```ts\n([\s\S]*?)```/.exec(readFileSync(join(packageRoot, 'SKILL.md'), 'utf8'))?.[1] ?? ''
const skillFile = join(folder, 'skill.ts')

beforeAll(() => {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  for (const { file, code } of snippets) writeFileSync(file, code)
  writeFileSync(skillFile, skill)
  const compilerOptions = {
    noEmit: true,
    composite: false,
    emitDeclarationOnly: false,
    declaration: false,
    rootDir: '../..',
  }
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ extends: '../../tsconfig.json', compilerOptions, include: ['*.ts'] }),
  )
})

const shown = [...readme.matchAll(/```ts (\S+)\n([\s\S]*?)```/g)]

it('shows programs of the examples as they are, and nothing else without its output', () => {
  expect(shown.map(([, file]) => file)).toEqual(
    ['express', 'next-route', 'cloudflare-worker', 'web-storage'].map((name) => `examples/${name}.ts`),
  )
  for (const [, file = '', code] of shown) expect(code).toBe(readFileSync(join(packageRoot, file), 'utf8'))
  const count = [...readme.matchAll(/^```\w/gm)].length
  // Beside the blocks of TypeScript and their output: two commands, and the program that `clients/php` runs.
  expect(count).toBe(shown.length + 2 * snippets.length + 3)
})

it('has snippets, each with what it prints', () => {
  expect(snippets.length).toBe(4)
  for (const { output } of snippets) expect(output).toBeDefined()
  expect(snippets[0]!.code.trim().split('\n').length).toBeLessThanOrEqual(8)
})

it('has snippets that compile', async () => {
  await run(join(packageRoot, 'node_modules/.bin/tsc'), ['-p', folder])
})

/** A program, in whose world the address of the README is answered by the mock API. */
const runProgram = (file: string) =>
  run(process.execPath, [
    '--conditions=@saleproof/source',
    '--no-warnings',
    '--import',
    join(packageRoot, 'test/readme-world.ts'),
    file,
  ])

it.each(snippets)('has a snippet that prints what it says: $file', async ({ file, output }) => {
  const { stdout } = await runProgram(file)
  expect(stdout).toBe(output)
})

it('has a test of an outage in SKILL.md that passes', () => runProgram(skillFile))

it('has a test of an outage in SKILL.md that fails when retries hide the fault', async () => {
  const hidden = skill.replace("\nmockApi.fail('refused')", "\nmockApi.fail('refused', 1)")
  expect(hidden).not.toBe(skill)
  const file = join(folder, 'hidden.ts')
  writeFileSync(file, hidden)
  await expect(runProgram(file)).rejects.toThrow("'api' == 'grace'")
})

it('has a test of an outage in SKILL.md that fails when an outage is taken for a valid result', async () => {
  const generous = skill.replace('3_600_000 },', '2_592_000_000 },')
  expect(generous).not.toBe(skill)
  const file = join(folder, 'generous.ts')
  writeFileSync(file, generous)
  await expect(runProgram(file)).rejects.toThrow("'valid' == 'unknown'")
})
