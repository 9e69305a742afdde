import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { brotliCompressSync } from 'node:zlib'
import { pack } from '@saleproof/pnpm'
import { type Client, clients, purchaseResponse } from './clients.ts'

// Client libraries side by side: bundle size, import time, processor time of a call beyond that of a bare `fetch`.
//   node tooling/bench/sdk/bench.ts [--readme]     --readme writes the table into the README of the SDK

const competitors = {
  '@lemonsqueezy/lemonsqueezy.js': '4.0.0',
  '@polar-sh/sdk': '1.0.1',
  '@unkey/api': '2.5.1',
  esbuild: '0.28.2',
  ky: '2.1.0',
  openai: '7.57.0',
  stripe: '23.1.0',
}

const sdk = join(import.meta.dirname, '../../../packages/sdk')
const folder = join(import.meta.dirname, '../.cache/sdk')

/** Installs the competitors, and this package as it is published. */
function install() {
  mkdirSync(folder, { recursive: true })
  const tarball = pack(sdk, folder)
  const dependencies = { ...competitors, '@saleproof/sdk': `file:${tarball}` }
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module', dependencies }))
  const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-package-lock', '--loglevel=error']
  execFileSync('npm', ['install', ...flags], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] })
  if (!existsSync(join(folder, 'node_modules/@saleproof/sdk'))) throw new Error('npm installed nothing')
}

function write(name: string, code: string): string {
  const file = join(folder, name)
  writeFileSync(file, code)
  return file
}

const run = (code: string) =>
  Number(execFileSync(process.execPath, [write('program.mjs', code)], { cwd: folder, encoding: 'utf8' }))

function bundleBytes({ imports, client, call }: Client): number {
  const file = write('bundle.mjs', `${imports}\nconst client = ${client}\nconsole.log(await ${call})\n`)
  const flags = ['--bundle', '--minify', '--format=esm', '--platform=node', '--conditions=import']
  const code = execFileSync(join(folder, 'node_modules/.bin/esbuild'), [file, ...flags], { maxBuffer: 1e8 })
  return brotliCompressSync(code).length
}

/** The median of eleven processes. */
function importMs({ imports }: Client): number {
  const names = [...imports.matchAll(/from '([^']+)'/g)].map(([, name]) => `await import('${name}')`)
  const code = `const start = performance.now()\n${names.join('\n')}\nconsole.log(performance.now() - start)`
  return Array.from({ length: 11 }, () => run(code)).toSorted((a, b) => a - b)[5] ?? Number.NaN
}

/** Defines `cpu(call)`: the processor time of a call with a stub of `fetch`, in microseconds. */
const stub = (response: object) => `
const text = ${JSON.stringify(JSON.stringify(response))}
globalThis.fetch = async () => new Response(text, { status: 200, headers: { 'content-type': 'application/json' } })
async function cpu(call, times = 10_000) {
  for (let index = 0; index < 3_000; index += 1) await call()
  const before = process.cpuUsage()
  for (let index = 0; index < times; index += 1) await call()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / times
}`

/** The least of eight rounds, because other work of the machine only adds time. */
function callMicroseconds({ imports, client, call, response }: Client): number | undefined {
  if (!response) return undefined
  return run(`${imports}
${stub(response)}
const client = ${client}
const init = { method: 'POST', headers: { authorization: 'Bearer k', 'content-type': 'application/json' }, body: '{"key":"x"}' }
let least = Infinity
let leastBare = Infinity
for (let round = 0; round < 8; round += 1) {
  leastBare = Math.min(leastBare, await cpu(async () => (await fetch('https://x.test/validate', init)).json()))
  least = Math.min(least, await cpu(() => ${call}))
}
console.log(least - leastBare)`)
}

const cachedCheckMicroseconds = () =>
  run(`import { createClient } from '@saleproof/sdk'
import { createGate } from '@saleproof/sdk/gate'
${stub(purchaseResponse)}
const gate = createGate({ client: createClient({ baseUrl: 'https://x.test', apiKey: 'k' }) })
let least = Infinity
for (let round = 0; round < 5; round += 1)
  least = Math.min(least, await cpu(() => gate.check('AAAA-1111-BBBB-2222', { itemId: 101 }), 200_000))
console.log(least)`)

install()
const rows = clients.map((client) => {
  const microseconds = callMicroseconds(client)
  const call = microseconds === undefined ? '' : `${microseconds.toFixed(1)} µs`
  const bytes = bundleBytes(client).toLocaleString('en')
  return `| ${client.name} | ${bytes} B | ${importMs(client).toFixed(1)} ms | ${call} |`
})
const table = `| | bundle, min + brotli | import | CPU of a call over bare fetch |
|---|---|---|---|
${rows.join('\n')}

A cached check of the gate takes ${cachedCheckMicroseconds().toFixed(1)} µs.`

console.log(table)
if (parseArgs({ options: { readme: { type: 'boolean' } } }).values.readme) {
  const file = join(sdk, 'README.md')
  const text = readFileSync(file, 'utf8')
  writeFileSync(file, text.replace(/(<!-- bench -->\n)[\s\S]*(<!-- \/bench -->)/, `$1${table}\n$2`))
}
