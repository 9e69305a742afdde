import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

// Arguments: the folder of the runtimes, the bundle of the worker.
const [folder, bundle] = process.argv.slice(2)
const { Miniflare } = createRequire(`${folder}/`)('miniflare')
const miniflare = new Miniflare({
  modules: true,
  script: readFileSync(bundle, 'utf8'),
  bindings: { SALEPROOF_URL: process.env.SALEPROOF_URL },
  compatibilityDate: '2026-07-01',
  cf: false,
})
const response = await miniflare.dispatchFetch('http://localhost/')
console.log(await response.text())
await miniflare.dispose()
