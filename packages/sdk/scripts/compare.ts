import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { installInCache, runSync } from '@saleproof/process'
import { build } from 'esbuild'

// Measures the built package beside others, each with what its documentation tells a user to import for one call, and writes the table
// into the README. The others are installed into the cache folder of the user.

const packageRoot = join(import.meta.dirname, '..')

const versions = {
  '@lemonsqueezy/lemonsqueezy.js': '4.0.0',
  '@polar-sh/sdk': '1.0.1',
  '@unkey/api': '2.5.1',
  ky: '2.1.0',
}

interface Row {
  title: string
  /** What is bundled and imported. */
  imports: string
  /** One call, which must give something true, and the response to it. Without it the time of a call is not measured. */
  call?: { setup?: string; expression: string; response: object }
}

const item = {
  id: 101,
  name: 'Icon pack',
  url: 'https://market.example.com/101',
  media: { preview_image: '' },
}
const purchase = {
  purchase_code: 'AAAA-1111-BBBB-2222',
  license_type: 'Regular',
  price: 19,
  currency: 'USD',
  item,
}
const ours = "{ baseUrl: 'https://market.example.com', apiKey: 'sp_0123456789abcdef0123456789abcdef' }"
const response = { status: 'success', data: { purchase } }
const granted = { id: 'l', status: 'granted' }
const named = (name: keyof typeof versions, what = '') => `${name} ${versions[name]}${what}`

const rows: Row[] = [
  {
    title: '@saleproof/sdk, one check',
    imports: "import { checkPurchase } from '@saleproof/sdk'",
    call: {
      setup: `const options = ${ours}`,
      expression: "(await checkPurchase(options, 'AAAA-1111-BBBB-2222')).outcome === 'valid'",
      response,
    },
  },
  {
    title: '@saleproof/sdk, four calls + gate',
    imports:
      "import { createClient } from '@saleproof/sdk'\nimport { createGate } from '@saleproof/sdk/gate'",
    call: {
      setup: `const client = createClient(${ours})`,
      expression: "(await client.checkPurchase('AAAA-1111-BBBB-2222')).outcome === 'valid'",
      response,
    },
  },
  {
    title: '@saleproof/sdk, publishable client',
    imports: "import { createPublishableClient } from '@saleproof/sdk/publishable'",
  },
  {
    title: '@saleproof/sdk, publishable client + passes',
    imports:
      "import { createPublishableClient } from '@saleproof/sdk/publishable'\nimport { verifyPasses } from '@saleproof/sdk/passes'",
  },
  {
    title: '@saleproof/sdk, explain',
    imports: "import { explain } from '@saleproof/sdk/messages'",
  },
  {
    title: named('@lemonsqueezy/lemonsqueezy.js'),
    imports: "import { validateLicense } from '@lemonsqueezy/lemonsqueezy.js'",
    call: { expression: "(await validateLicense('AAAA-1111')).data.valid", response: { valid: true } },
  },
  {
    title: named('@polar-sh/sdk', ', one function'),
    imports:
      "import { createPolarCore } from '@polar-sh/sdk/2026-10'\nimport { validateLicenseKeys } from '@polar-sh/sdk/2026-10/services/license_keys'",
    call: {
      setup: "const polar = createPolarCore({ accessToken: 'polar_oat_1' })",
      expression: "(await validateLicenseKeys(polar)({ key: 'AAAA-1111', organization_id: 'o' })).id",
      response: granted,
    },
  },
  {
    title: named('@polar-sh/sdk', ', as in its quickstart'),
    imports: "import { createPolar } from '@polar-sh/sdk/2026-10'",
    call: {
      setup: "const polar = createPolar({ accessToken: 'polar_oat_1' })",
      expression: "(await polar.licenseKeys.validate({ key: 'AAAA-1111', organization_id: 'o' })).id",
      response: granted,
    },
  },
  {
    title: named('ky'),
    imports: "import ky from 'ky'",
    call: {
      expression:
        "(await ky.post('https://api.example.com/validate', { json: { code: 'AAAA-1111' } }).json()).valid",
      response: { valid: true },
    },
  },
  {
    title: named('@unkey/api', ', one function'),
    imports:
      "import { UnkeyCore } from '@unkey/api/core.js'\nimport { keysVerifyKey } from '@unkey/api/funcs/keysVerifyKey.js'",
    call: {
      setup: "const unkey = new UnkeyCore({ rootKey: 'unkey_1' })",
      expression: "(await keysVerifyKey(unkey, { key: 'AAAA-1111' })).ok",
      response: { meta: { requestId: 'r' }, data: { valid: true, code: 'VALID' } },
    },
  },
]

const others = installInCache('sdk-compare', versions)
const readFolder = ({ title }: Row) =>
  join(title.startsWith('@saleproof') ? join(packageRoot, '.cache') : others, 'compare')

const runProgram = (row: Row, program: string) => {
  const file = join(readFolder(row), 'program.mjs')
  writeFileSync(file, program)
  return Number(runSync([process.execPath, file], { cwd: readFolder(row) }))
}

/** As size-limit measures, which takes off what an empty project weighs. */
async function bundleBytes(row: Row): Promise<number> {
  const used = [...row.imports.matchAll(/import \{? ?(\w+)/g)].map(([, name]) => name)
  const { outputFiles } = await build({
    stdin: { contents: `${row.imports}\nconsole.log(${used})`, resolveDir: readFolder(row) },
    bundle: true,
    minify: true,
    treeShaking: true,
    write: false,
    logLevel: 'error',
  })
  return brotliCompressSync(outputFiles[0]?.contents ?? '').length - 30
}

/** Milliseconds: the best of some fresh processes. */
function importTime(row: Row): number {
  const modules = [...row.imports.matchAll(/from '([^']+)'/g)].map(([, module]) => `import('${module}')`)
  const program = `const start = performance.now()\nawait Promise.all([${modules}])\nconsole.log(performance.now() - start)`
  return Math.min(...Array.from({ length: 15 }, () => runProgram(row, program)))
}

/** Microseconds of processor time of a call, beyond those of `fetch` and of reading the response: the median of rounds. */
function callTime(row: Row): number | undefined {
  if (!row.call) return undefined
  const { setup = '', expression, response } = row.call
  const body = JSON.stringify(JSON.stringify(response))
  return runProgram(
    row,
    `${row.imports}
const headers = { 'content-type': 'application/json' }
globalThis.fetch = async () => new Response(${body}, { headers })
${setup}
const call = async () => { if (!(${expression})) throw new Error('no result') }
const bare = async () => (await fetch('https://api.example.com', { method: 'POST', headers, body: '{}' })).json()
async function time(work) {
  const { user, system } = process.cpuUsage()
  for (let count = 0; count < 1_000; count += 1) await work()
  const { user: userEnd, system: systemEnd } = process.cpuUsage()
  return (userEnd + systemEnd - user - system) / 1_000
}
for (let round = 0; round < 5; round += 1) await time(call), await time(bare)
const rounds = []
for (let round = 0; round < 21; round += 1) rounds.push(await time(call) - await time(bare))
console.log(rounds.sort((a, b) => a - b)[10])`,
  )
}

const cells: string[] = []
for (const row of rows) {
  mkdirSync(readFolder(row), { recursive: true })
  const call = callTime(row)
  const time = call === undefined ? '' : `${call.toFixed(1)} µs`
  const bytes = (await bundleBytes(row)).toLocaleString('en')
  cells.push(`| ${row.title} | ${bytes} B | ${importTime(row).toFixed(1)} ms | ${time} |`)
}
const head = '| | bundle, min + brotli | import | CPU of a call over bare fetch |\n|---|---|---|---|\n'
const table = `${head}${cells.join('\n')}\n`
console.log(table)
const readme = join(packageRoot, 'README.md')
const text = readFileSync(readme, 'utf8')
writeFileSync(
  readme,
  text.replace(/\| \| bundle, min \+ brotli[\s\S]*?\n(?=\n)/, () => table),
)
