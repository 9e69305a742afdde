import { startWorker } from './miniflare-host.mjs'

const worker = startWorker()
const response = await worker.dispatchFetch('http://localhost/')
console.log(await response.text())
await worker.dispose()
