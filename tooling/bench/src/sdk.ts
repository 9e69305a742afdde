import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pack } from '@saleproof/pnpm'

// `node tooling/bench/src/sdk.ts`: import time of the packed SDK, and processor time of its calls with a stub of `fetch`.

const folder = join(import.meta.dirname, '../.cache/sdk')
const installed = join(folder, 'node_modules/@saleproof/sdk')
rmSync(folder, { recursive: true, force: true })
mkdirSync(installed, { recursive: true })
const tarball = pack(join(import.meta.dirname, '../../../packages/sdk'), folder)
execFileSync('tar', ['-xzf', tarball, '-C', installed, '--strip-components=1'])

/** Runs a program that prints a number. */
function run(code: string): number {
  const file = join(folder, 'program.mjs')
  writeFileSync(file, code)
  return Number(execFileSync(process.execPath, [file], { encoding: 'utf8' }))
}

const importMs = run(`
const start = performance.now()
await import('@saleproof/sdk')
console.log(performance.now() - start)`)

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

/** The least processor time of one of eight rounds, in microseconds: other work of the machine only adds time. */
const program = (call: string) => `
import { createClient } from '@saleproof/sdk'
import { createGate } from '@saleproof/sdk/gate'
const text = ${JSON.stringify(JSON.stringify({ status: 'success', data: { purchase } }))}
globalThis.fetch = async () => new Response(text, { headers: { 'content-type': 'application/json' } })
const init = { method: 'POST', headers: { authorization: 'Bearer k', 'content-type': 'application/json' }, body: '{"key":"x"}' }
const client = createClient({ baseUrl: 'https://x.test', apiKey: 'k' })
const gate = createGate({ client, onUnknown: 'deny' })
let least = Infinity
for (let round = 0; round < 8; round += 1) {
  const before = process.cpuUsage()
  for (let index = 0; index < 20_000; index += 1) await ${call}
  const { user, system } = process.cpuUsage(before)
  least = Math.min(least, (user + system) / 20_000)
}
console.log(least)`

const bareFetch = run(program("(await fetch('https://x.test/validate', init)).json()"))
const call = run(program("client.checkPurchase('AAAA-1111-BBBB-2222')"))
const cachedCheck = run(program("gate.check('AAAA-1111-BBBB-2222', { itemId: 101 })"))
console.log(`import: ${importMs.toFixed(1)} ms`)
console.log(`checkPurchase: ${(call - bareFetch).toFixed(1)} µs more than fetch`)
console.log(`cached check of the gate: ${cachedCheck.toFixed(1)} µs`)
