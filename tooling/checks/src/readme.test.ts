import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { clone, plainEnvironment, run, snapshot, start } from '@saleproof/process'
import { afterAll, expect, test } from 'vitest'
import { fences } from './markdown.ts'
import { read, root } from './repository.ts'

const temporary = mkdtempSync(join(tmpdir(), 'saleproof-readme-'))
const folder = join(temporary, 'clone')
clone(root, { ref: snapshot(root), folder })
let serving: ReturnType<typeof start> | undefined

afterAll(async () => {
  await serving?.interrupt()
  rmSync(temporary, { recursive: true })
})

/** A command as a newcomer types it: without the package manager and the test runner. What was built here is not built again. */
function typed(command: string, variables: Readonly<Record<string, string>> = {}) {
  const { CI, ...plain } = plainEnvironment()
  const env = { ...plain, TURBO_CACHE_DIR: join(root, '.turbo/cache'), ...variables }
  return [['bash', '-c', command], { cwd: folder, group: true, env }] as const
}

const blocks = fences(read('README.md'))
const shell = blocks.filter(({ language }) => language === 'sh').map(({ body }) => body)
const [twoCommands = '', curlExample = '', ownData = ''] = shell
const startCommand = /^npx .* start(?= )/m.exec(twoCommands)?.[0] ?? ''

// A free port and few processes; the rest is as in README.md.
const variables = { PORT: '0', WEB_CONCURRENCY: '2' }

async function startServing() {
  const began = performance.now()
  serving = start(...typed(startCommand, variables))
  const address = await serving.until(/listening on (http:\S+)/)
  const curl = await serving.until(/^(curl .+)$/m)
  return {
    address,
    curl,
    key: await serving.until(/demo workspace: (\S+)/),
    seconds: (performance.now() - began) / 1000,
  }
}

/** Ctrl-C has to stop everything. */
async function stop(address: string) {
  await serving?.interrupt()
  serving = undefined
  await expect(fetch(address)).rejects.toThrow('fetch failed')
}

const digest = () =>
  createHash('sha256')
    .update(readFileSync(join(folder, 'data/saleproof.db')))
    .digest('hex')

const responseOf = async (curl: string) => JSON.parse((await run(...typed(`${curl} -sS`))).stdout)

test('README.md has the blocks that are run here', () => {
  expect(startCommand).toBe('npx -y pnpm@12 start')
  expect(twoCommands).toMatch(/^npx -y pnpm@12 test /m)
  expect(curlExample).toMatch(/^curl /)
  expect(ownData).toContain('saleproof import')
})

let first: Awaited<ReturnType<typeof startServing>>

test('the first start installs, builds, loads the demo workspace and prints a line that works', async () => {
  first = await startServing()
  console.log(`first start: ${first.seconds.toFixed(1)} s`)
  const shown = curlExample.replace('http://127.0.0.1:3000', first.address).trim()
  const [, code = ''] = /purchase_code=(\S+)/.exec(first.curl) ?? []
  expect(first.curl).toBe(shown.replace('YOUR_KEY', first.key).replace('A_CODE', code))
  const response = await responseOf(first.curl)
  expect(response).toMatchObject({ status: 'success', data: { purchase: { purchase_code: code } } })
  // The example of README.md has the same fields in the same order.
  const fields = (value: unknown): unknown =>
    typeof value === 'object' && value
      ? Object.entries(value).map(([name, inner]) => [name, fields(inner)])
      : typeof value
  const example = blocks.find(({ language }) => language === 'json')?.body ?? ''
  expect(fields(response)).toEqual(fields(JSON.parse(example)))
}, 400_000)

test('own data: import, a key, and a validated code, as in README.md', async () => {
  const script = ownData.replace('http://127.0.0.1:3000', first.address)
  const { code, stdout, stderr } = await run(...typed(`set -euo pipefail\n${script}`))
  expect({ code, stderr }).toMatchObject({ code: 0 })
  expect(JSON.parse(stdout)).toMatchObject({ status: 'success', data: { purchase: { item: { id: 101 } } } })
  expect(stderr).toMatch(/^purchase: 3 created, 0 updated, 0 unchanged$/m)
  const [, password] = /echo '(.+)' \|/.exec(ownData) ?? []
  const session = await fetch(`${first.address}/console/api/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
    body: JSON.stringify({ login: 'ada', password }),
  })
  expect(await session.json()).toMatchObject({ workspaces: [{ slug: 'ada-studio' }] })
})

test('the program of README.md proves the sale with the SDK', async () => {
  const made = await run(...typed('npx -y pnpm@12 saleproof key create --workspace ada-studio'))
  expect(made.code).toBe(0)
  const program = blocks.find(({ language }) => language === 'ts')?.body ?? ''
  const around = `const code = '9F2C-11AA-77E0-5D3B'\nconst install = () => console.log('installed')\n`
  // Below apps/api, where the packages of the workspace resolve.
  const file = 'apps/api/readme-program.ts'
  writeFileSync(join(folder, file), around + program.replace(/https:\/\/[\w.]+/, first.address))
  const node = 'node_modules/.bin/node --conditions=@saleproof/source'
  const result = await run(...typed(`${node} ${file}`, { SALEPROOF_API_KEY: made.stdout.trim() }))
  expect(result).toMatchObject({ code: 0, stdout: 'installed\n' })
})

test('a second start imports nothing and shows the same key', async () => {
  await stop(first.address)
  const before = digest()
  const second = await startServing()
  console.log(`second start: ${second.seconds.toFixed(1)} s`)
  expect(second.key).toBe(first.key)
  expect(await responseOf(second.curl)).toMatchObject({ status: 'success' })
  await stop(second.address)
  expect(digest()).toBe(before)
})
