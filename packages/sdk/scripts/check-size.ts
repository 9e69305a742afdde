import { brotliCompressSync } from 'node:zlib'
import { build } from 'esbuild'
import { budgets } from './budgets.ts'

// Measures what a user's bundle pays, minified and as brotli; a build that is over a budget fails. Run after tsdown.

const client = `import { createClient } from './dist/index.js'
const client = createClient({ baseUrl: 'https://market.example.com', apiKey: 'k' })`

const bundles = [
  [
    'one check',
    `import { checkPurchase } from './dist/index.js'
const options = { baseUrl: 'https://market.example.com', apiKey: 'k' }
console.log(await checkPurchase(options, 'c'))`,
  ],
  [
    'four calls + gate',
    `${client}
import { createGate } from './dist/gate.js'
console.log(await client.getAccount(), await client.listItems(), await client.getItem(1), await client.validatePurchase('c'))
console.log(await createGate({ client, onUnknown: 'deny' }).check('c'))`,
  ],
  [
    'four calls + gate + full check',
    `import { createClient } from './dist/index.js'
import { createGate } from './dist/gate.js'
import { strictValidator } from './dist/schemas.js'
const client = createClient({ baseUrl: 'https://market.example.com', apiKey: 'k', validate: strictValidator })
console.log(await client.getAccount(), await client.listItems(), await client.getItem(1), await client.validatePurchase('c'))
console.log(await createGate({ client, onUnknown: 'deny' }).check('c'))`,
  ],
  [
    'explain',
    `import { explain } from './dist/messages.js'
console.log(explain({ kind: 'server', code: undefined }, 'pt'))`,
  ],
] as const

async function measure(code: string): Promise<number> {
  const {
    outputFiles: [output],
  } = await build({
    stdin: { contents: code, resolveDir: `${import.meta.dirname}/..`, loader: 'js' },
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'neutral',
    write: false,
    logLevel: 'error',
  })
  if (!output) throw new Error('esbuild wrote no bundle')
  return brotliCompressSync(output.contents).length
}

for (const [name, code] of bundles) {
  const budget = budgets.bundles[name]
  const bytes = await measure(code)
  console.log(`${name}: ${bytes} B of ${budget} B`)
  if (bytes > budget) {
    console.error(`${name} is over its budget: make it smaller, or say in the change why the budget grows`)
    process.exitCode = 1
  }
}
