import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pack } from '@saleproof/pnpm'
import { formatSpread, formatTable } from './report/table.ts'
import { summarize } from './statistics.ts'

// Measures the packed SDK without a network: `fetch` is a stub that gives a response at once. README.md says what each figure is.

/** For each figure. */
const processes = 5

const folder = join(import.meta.dirname, '../.cache/sdk')
const installed = join(folder, 'node_modules/@saleproof/sdk')
rmSync(folder, { recursive: true, force: true })
mkdirSync(installed, { recursive: true })
const tarball = pack(join(import.meta.dirname, '../../../packages/sdk'), folder)
writeFileSync(join(folder, 'empty.mjs'), 'export {}')
execFileSync('tar', ['-xzf', tarball, '-C', installed, '--strip-components=1'])

/** The numbers that a program prints, one from each of several processes. */
function run(code: string, flags: readonly string[] = []): number[] {
  const file = join(folder, 'program.mjs')
  writeFileSync(file, code)
  const once = () => Number(execFileSync(process.execPath, [...flags, file], { encoding: 'utf8' }))
  return Array.from({ length: processes }, once)
}

const purchase = {
  purchase_code: 'AAAA-1111-BBBB-2222',
  license_type: 'Regular',
  price: 19.99,
  currency: 'USD',
  item: {
    id: 101,
    name: 'Icon pack',
    url: 'https://x.test/i',
    media: { preview_image: 'https://x.test/p.png' },
  },
  downloaded: false,
  date: '2024-04-27T12:00:00Z',
}

const setUp = `
import { createClient } from '@saleproof/sdk'
import { createGate, sealStore } from '@saleproof/sdk/gate'
const text = ${JSON.stringify(JSON.stringify({ status: 'success', data: { purchase } }))}
const headers = { 'content-type': 'application/json' }
globalThis.fetch = async () => new Response(text, { headers })
const init = { method: 'POST', headers: { authorization: 'Bearer k', ...headers }, body: '{"key":"x"}' }
const client = createClient({ baseUrl: 'https://x.test', apiKey: 'k' })
const code = 'AAAA-1111-BBBB-2222'
const onUnknown = { allowCachedMs: 3_600_000 }
const stored = new Map()
const raw = { get: (key) => stored.get(key), set: (key, value) => void stored.set(key, value), delete: (key) => void stored.delete(key) }
const store = sealStore(raw, { pepper: 'a pepper of at least 32 characters' })
const inMemory = createGate({ client, onUnknown })
const fromStore = createGate({ client, onUnknown, store })
const bare = async () => (await fetch('https://x.test/validate', init)).json()
const check = () => client.checkPurchase(code)
async function processorTime(work, times) {
  const before = process.cpuUsage()
  for (let index = 0; index < times; index += 1) await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / times
}
/** The least of several rounds, in microseconds: other work of the machine only adds time. */
async function least(work, times) {
  const rounds = []
  for (let round = 0; round < 8; round += 1) rounds.push(await processorTime(work, times))
  return Math.min(...rounds)
}
`

const importOf = (entry: string) => `
const start = performance.now()
await import('${entry}')
console.log(performance.now() - start)`

// Bare and checked calls take turns in one process, so that both see the same machine.
const callBeyondFetch = `${setUp}
let bareTime = Infinity
let checkTime = Infinity
for (let round = 0; round < 8; round += 1) {
  bareTime = Math.min(bareTime, await processorTime(bare, 20_000))
  checkTime = Math.min(checkTime, await processorTime(check, 20_000))
}
console.log(checkTime - bareTime)`

const callToFetch = callBeyondFetch.replace('checkTime - bareTime', 'checkTime / bareTime')

const gateHit = (gate: string, times: number) => `${setUp}
await ${gate}.check(code)
console.log(await least(() => ${gate}.check(code, { itemId: 101 }), ${times}))`

const heapOf = (work: string) => `${setUp}
const round = async () => {
  for (let index = 0; index < 100_000; index += 1) await ${work}
  gc()
  return process.memoryUsage().heapUsed
}
const before = await round()
console.log((await round() - before) / 1_000)`

const figures: readonly (readonly [name: string, unit: string, goal: string, numbers: () => number[]])[] = [
  ['import of an empty module', 'ms', '', () => run(importOf('./empty.mjs'))],
  ['import of the client', 'ms', '≤ 5', () => run(importOf('@saleproof/sdk'))],
  ['import of the gate', 'ms', '≤ 5', () => run(importOf('@saleproof/sdk/gate'))],
  ['checkPurchase beyond fetch', 'µs', '≤ 4', () => run(callBeyondFetch)],
  ['checkPurchase to fetch', '×', '', () => run(callToFetch)],
  ['gate hit in memory', 'µs', '≤ 1', () => run(gateHit('inMemory', 200_000))],
  ['gate hit from a store', 'µs', '≤ 40', () => run(gateHit('fromStore', 5_000))],
  ['heap after 100,000 calls', 'kB', 'flat', () => run(heapOf('check()'), ['--expose-gc'])],
  ['heap after 100,000 gate hits', 'kB', 'flat', () => run(heapOf('inMemory.check(code)'), ['--expose-gc'])],
]

const rows = figures.map(([name, unit, goal, measure]) => [
  name,
  unit,
  formatSpread(summarize(measure())),
  goal,
])
console.log(formatTable(['', 'unit', 'median (range)', 'goal'], rows))
