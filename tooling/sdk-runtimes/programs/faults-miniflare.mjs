import { runCases } from '@saleproof/faults/run-case'
import { startWorker } from './miniflare-host.mjs'

// A request for each case: workerd lets a request have six connections at a time.
const worker = startWorker()
const run = async (name, isRepeated = false) => {
  const response = await worker.dispatchFetch(`http://localhost/?case=${encodeURIComponent(name)}`)
  if (response.ok) return response.json()
  // On a busy machine Miniflare loses its own connection to workerd now and then. Where a case does it, it does so again.
  return isRepeated ? [await response.text()] : run(name, true)
}
console.log(
  JSON.stringify(
    await runCases(
      process.env.SALEPROOF_URL,
      (name) => run(name),
      (fault) => !fault.process,
    ),
  ),
)
await worker.dispose()
