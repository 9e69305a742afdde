import { execFile } from 'node:child_process'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'

const run = promisify(execFile)
const folder = fileURLToPath(new URL('../.test/readme', import.meta.url))
const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8')
const snippets = [...readme.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code = '']) => code)

beforeAll(() => mkdir(folder, { recursive: true }))
afterAll(() => rm(folder, { recursive: true, force: true }))

test('has snippets', () => {
  expect(snippets).toHaveLength(6)
})

test.each([...snippets.entries()])('snippet %d prints its output', async (at, code) => {
  const file = `${folder}/snippet-${at}.ts`
  await writeFile(file, code)
  const { stdout } = await run(process.execPath, ['--conditions=@saleproof/source', file])
  const promised = [...code.matchAll(/console\.log\(.*\) \/\/ (.*)$/gm)].map(([, text]) => text)
  expect(promised.length).toBeGreaterThan(0)
  expect(stdout.trimEnd().split('\n')).toEqual(promised)
})

test('compiles', async () => {
  const config = {
    extends: '../../tsconfig.json',
    compilerOptions: { rootDir: '../..', composite: false },
    include: ['.'],
  }
  await writeFile(`${folder}/tsconfig.json`, JSON.stringify(config))
  await Promise.all(snippets.map((code, at) => writeFile(`${folder}/snippet-${at}.ts`, code)))
  const tsc = fileURLToPath(new URL('../node_modules/typescript/bin/tsc', import.meta.url))
  const said = await run(process.execPath, [tsc, '-p', folder, '--noEmit', '--pretty', 'false']).catch(
    (error) => error,
  )
  expect(said.stdout).toBe('')
})
