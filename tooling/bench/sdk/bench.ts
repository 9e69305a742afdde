import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { brotliCompressSync } from 'node:zlib'
import { pack } from '@saleproof/pnpm'
import { type Subject, subjects } from './subjects.ts'

// The client libraries side by side: bytes in a bundle, time to import, processor time of a call over that of a bare `fetch`.
// The others are installed on the first run, in these versions, into the cache folder of the user.
//   node tooling/bench/sdk/bench.ts [--readme]     --readme puts the table into the README of the SDK

const dependencies = {
  '@lemonsqueezy/lemonsqueezy.js': '4.0.0',
  '@polar-sh/sdk': '1.0.1',
  '@unkey/api': '2.5.1',
  esbuild: '0.28.2',
  ky: '2.1.0',
  openai: '7.57.0',
  stripe: '23.1.0',
}

const sdk = join(import.meta.dirname, '../../../packages/sdk')

function prepare(): string {
  const manifest = JSON.stringify({ private: true, type: 'module', dependencies })
  const version = createHash('sha256').update(manifest).digest('hex').slice(0, 12)
  const folder = join(
    process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'),
    'saleproof',
    `bench-${version}`,
  )
  const npm = (...args: string[]) =>
    execFileSync(
      'npm',
      ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error', ...args],
      {
        cwd: folder,
        stdio: ['ignore', 'ignore', 'inherit'],
      },
    )
  if (!existsSync(join(folder, 'node_modules'))) {
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'package.json'), manifest)
    npm()
  }
  // This package as it is published.
  const packed = join(folder, 'packed')
  const tarball = pack(sdk, packed)
  const installed = join(folder, 'node_modules/@saleproof/sdk')
  rmSync(installed, { recursive: true, force: true })
  mkdirSync(installed, { recursive: true })
  execFileSync('tar', ['-xzf', tarball, '-C', installed, '--strip-components=1'])
  return folder
}

const program = ({ imports, client, call }: Subject) =>
  `${imports}\nconst client = ${client}\nconsole.log(await ${call})\n`

function bundleBytes(folder: string, subject: Subject): number {
  const file = join(folder, 'bundle.in.mjs')
  writeFileSync(file, program(subject))
  const flags = ['--bundle', '--minify', '--format=esm', '--platform=node', '--conditions=import']
  const code = execFileSync(join(folder, 'node_modules/.bin/esbuild'), [file, ...flags], {
    maxBuffer: 1e8,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  return brotliCompressSync(code).length
}

const run = (folder: string, name: string, code: string): number => {
  const file = join(folder, name)
  writeFileSync(file, code)
  return Number(execFileSync(process.execPath, [file], { cwd: folder, encoding: 'utf8' }))
}

const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!

/** Milliseconds to import, in a process of its own; the median of eleven. */
function importMs(folder: string, { imports }: Subject): number {
  const names = [...imports.matchAll(/from '([^']+)'/g)].map(([, name]) => name)
  const code = `const start = performance.now()
${names.map((name) => `await import('${name}')`).join('\n')}
console.log(performance.now() - start)`
  return median(Array.from({ length: 11 }, () => run(folder, 'import.mjs', code)))
}

const stub = (answer: object) => `
const text = ${JSON.stringify(JSON.stringify(answer))}
globalThis.fetch = async () => new Response(text, { status: 200, headers: { 'content-type': 'application/json' } })
const cpu = async (call, times) => {
  for (let at = 0; at < 3_000; at += 1) await call()
  const before = process.cpuUsage()
  for (let at = 0; at < times; at += 1) await call()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / times
}
`

/**
 * Microseconds of processor time that a call takes more than `fetch` and `json()` alone: the least of eight rounds of each, in
 * turns, because everything else that a machine does only ever adds.
 */
function callMicroseconds(folder: string, { imports, client, call, answer }: Subject): number {
  const code = `${imports}
${stub(answer)}
const client = ${client}
const init = { method: 'POST', headers: { authorization: 'Bearer k', 'content-type': 'application/json' }, body: '{"key":"x"}' }
const bare = async () => (await fetch('https://x.test/validate', init)).json()
let [least, leastBare] = [Infinity, Infinity]
for (let round = 0; round < 8; round += 1) {
  leastBare = Math.min(leastBare, await cpu(bare, 10_000))
  least = Math.min(least, await cpu(() => ${call}, 10_000))
}
console.log(least - leastBare)`
  return run(folder, 'call.mjs', code)
}

function gateHitMicroseconds(folder: string): number {
  const [{ answer }] = subjects as [Subject]
  return run(
    folder,
    'gate.mjs',
    `import { createClient } from '@saleproof/sdk'
import { createGate } from '@saleproof/sdk/gate'
${stub(answer)}
const gate = createGate({ client: createClient({ baseUrl: 'https://x.test', apiKey: 'k' }) })
let least = Infinity
for (let round = 0; round < 5; round += 1) {
  least = Math.min(least, await cpu(() => gate.check('AAAA-1111-BBBB-2222', { itemId: 101 }), 200_000))
}
console.log(least)`,
  )
}

const folder = prepare()
const rows = subjects.map((subject) => ({
  name: subject.name,
  bytes: bundleBytes(folder, subject),
  importMs: importMs(folder, subject),
  callMicroseconds: /gate|check/.test(subject.name) ? Number.NaN : callMicroseconds(folder, subject),
}))

const shown = (value: number, unit: string, decimals: number) =>
  Number.isNaN(value) ? '' : `${value.toFixed(decimals)} ${unit}`

const table = [
  '| | bundle, min + brotli | import | CPU of a call over bare fetch |',
  '|---|---|---|---|',
  ...rows.map(({ name, bytes, importMs, callMicroseconds }) =>
    [
      '',
      name,
      `${bytes.toLocaleString('en')} B`,
      shown(importMs, 'ms', 1),
      shown(callMicroseconds, 'µs', 1),
      '',
    ]
      .join(' | ')
      .trim(),
  ),
  '',
  `A check at the gate that is answered from memory takes ${gateHitMicroseconds(folder).toFixed(1)} µs.`,
].join('\n')

console.log(table)
if (parseArgs({ options: { readme: { type: 'boolean' } } }).values.readme) {
  const file = join(sdk, 'README.md')
  const text = readFileSync(file, 'utf8')
  writeFileSync(file, text.replace(/(<!-- bench -->\n)[\s\S]*(<!-- \/bench -->)/, `$1${table}\n$2`))
}
