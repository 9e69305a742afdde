import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

/** Starts a worker. Arguments of the program: the folder of the runtimes, the bundle of the worker, its compatibility date. */
export function startWorker(options = {}) {
  const [folder, bundle, compatibilityDate] = process.argv.slice(2)
  const { Miniflare } = createRequire(`${folder}/`)('miniflare')
  return new Miniflare({
    modules: true,
    script: readFileSync(bundle, 'utf8'),
    bindings: { SALEPROOF_URL: process.env.SALEPROOF_URL },
    compatibilityDate,
    cf: false,
    ...options,
  })
}
