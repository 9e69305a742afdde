import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startWorker } from './miniflare-host.mjs'

const folder = mkdtempSync(join(tmpdir(), 'saleproof-objects-'))
const objects = { PURCHASES: { className: 'SaleproofObject', useSQLite: true } }
const start = () => startWorker({ durableObjects: objects, durableObjectsPersist: folder })
let worker = start()
const send = async (query) => (await worker.dispatchFetch(`http://localhost/?${query}`)).json()

const found = { first: await send('gate=one&code=good') }
found.elsewhere = await send('gate=two&code=good')
await send('gate=two&code=good&forget')
found.forgotten = await send('gate=three&code=good')
found.invalid = [await send('gate=one&code=none'), await send('gate=two&code=none')]
// The gate marks the time once a second.
await new Promise((resolve) => setTimeout(resolve, 1_100))
await send('gate=one&code=good')
found.writes = await send('writes')
found.expired = await send('expire')
await worker.dispose()
worker = start()
found.restarted = await send('gate=one&code=good')
await worker.dispose()
rmSync(folder, { recursive: true })
console.log(JSON.stringify(found))
