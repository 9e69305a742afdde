import { runCases } from '@saleproof/faults/run-case'
import { startWorker } from './miniflare-host.mjs'

// A request for each case: workerd lets a request have six connections at a time.
const worker = startWorker()
async function run(name) {
  const response = await worker.dispatchFetch(`http://localhost/?case=${encodeURIComponent(name)}`)
  return response.ok ? response.json() : [await response.text()]
}
console.log(JSON.stringify(await runCases(process.env.SALEPROOF_URL, run, (fault) => !fault.process)))
await worker.dispose()
