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

beforeAll(() => {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  for (const { file, code } of snippets) writeFileSync(file, code)
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

it('has snippets, each with what it prints', () => {
  expect(snippets.length).toBeGreaterThanOrEqual(5)
  for (const { output } of snippets) expect(output).toBeDefined()
  expect(snippets[0]!.code.trim().split('\n').length).toBeLessThanOrEqual(8)
})

it('has snippets that compile', async () => {
  await run(join(packageRoot, 'node_modules/.bin/tsc'), ['-p', folder])
}, 30_000)

it.each(snippets)('has a snippet that prints what it says: $file', async ({ file, output }) => {
  const args = [
    '--conditions=@saleproof/source',
    '--no-warnings',
    '--import',
    join(packageRoot, 'test/readme-world.ts'),
    file,
  ]
  const { stdout } = await run(process.execPath, args)
  expect(stdout).toBe(output)
})
