import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pack, runSync } from '@saleproof/process'

// Packs the package and compiles programs against it, as a user does, outside of this workspace. tsdown asks publint and attw.

const packageRoot = join(import.meta.dirname, '..')

const problems: string[] = []
const maxBytes = 48_000
const tarball = pack(packageRoot, join(packageRoot, '.cache/packed'))

const consumer = `
import { createClient, isSaleproofError, type Purchase } from '@saleproof/sdk'
import { createDurableObjectsStore, SaleproofObject } from '@saleproof/sdk/durable-objects'
import { createGate, createRedisStore, sealStore } from '@saleproof/sdk/gate'
import { createGuard } from '@saleproof/sdk/guard'
import { explain } from '@saleproof/sdk/messages'
import { createFileStore, expressGuard, fastifyGuard, koaGuard } from '@saleproof/sdk/node'
import { verifyPasses } from '@saleproof/sdk/passes'
import { createPublishableClient, type PublishableClient } from '@saleproof/sdk/publishable'
import { createMockApi } from '@saleproof/sdk/testing'
import { createWebStorageStore } from '@saleproof/sdk/web-storage'
import { createWorkersKvStore } from '@saleproof/sdk/workers-kv'
const mockApi = createMockApi()
const client = createClient({ baseUrl: mockApi.baseUrl, apiKey: mockApi.apiKey, fetch: mockApi.fetch, validate: { getItem: { '~standard': { validate: async (value) => (value ? { value } : { issues: [] }) } } }, shape: 'base' })
const guard = createGuard({ gate: createGate({ client, onUnknown: 'deny' }) })
export const respond = async (request: Request) => {
  const decision = await guard(request)
  return decision.allowed ? new Response(decision.purchase.item.name) : decision.response()
}
export const price = async (code: string): Promise<number | string> => {
  const check = await client.checkPurchase(code)
  return check.outcome === 'valid' ? check.purchase.price : check.outcome === 'unknown' ? explain(check.error) : check.reason
}
export const publishable: PublishableClient<'base'> = createPublishableClient({ baseUrl: mockApi.baseUrl, apiKey: mockApi.apiKey, shape: 'base', passes: verifyPasses({ workspace: 'demo', publicKeys: ['x'] }) })
export const gateOfApp = createGate({ client: publishable, store: createFileStore({ directory: 'codes' }) })
const pepper = 'a secret of at least 32 characters'
const entries = new Map<string, string>()
const raw = { get: (key: string) => entries.get(key), set: (key: string, value: string) => entries.set(key, value), delete: (key: string) => entries.delete(key) }
const stores = [createFileStore({ directory: 'codes', pepper }), createRedisStore(async (args: string[]) => args.length, { pepper }), sealStore(raw, { pepper }), createWorkersKvStore({ get: async () => null, put: async () => {}, delete: async () => {} }, { pepper }), createDurableObjectsStore({ getByName: () => ({ fetch: async () => new Response('null') }) }, { pepper }), createWebStorageStore(localStorage, { pepper })]
export const PurchaseObject: typeof SaleproofObject = SaleproofObject
const gates = stores.map((store) => createGate({ client, onUnknown: { allowCachedMs: 1_000 }, store }))
export const guards = gates.flatMap((gate) => [expressGuard({ gate }), koaGuard({ gate }), fastifyGuard({ gate })])
export const known: boolean = isSaleproofError(mockApi)
export type P = Purchase<'extended'>['item']['version']
`

/**
 * A consumer's own compiler, without skipLibCheck, as ESM and as CommonJS, with Node.js types and with those of the DOM; and as Next.js
 * sets a project up that had no TypeScript, which is not strict.
 */
function checkConsumers(folder: string) {
  const environments = [
    ['node', true],
    ['dom', true],
    ['dom', false],
  ] as const
  for (const [environment, strict] of environments) {
    const compilerOptions = {
      strict,
      exactOptionalPropertyTypes: strict,
      noEmit: true,
      skipLibCheck: false,
      target: 'es2022',
      module: 'nodenext',
      lib: environment === 'dom' ? ['es2022', 'dom', 'dom.iterable', 'esnext.disposable'] : ['es2022'],
      types: environment === 'node' ? ['node'] : [],
      typeRoots: [join(packageRoot, 'node_modules/@types')],
    }
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true }))
    writeFileSync(
      join(folder, 'tsconfig.json'),
      JSON.stringify({ compilerOptions, files: ['esm.mts', 'cjs.cts'] }),
    )
    for (const name of ['esm.mts', 'cjs.cts']) writeFileSync(join(folder, name), consumer)
    try {
      runSync([join(packageRoot, 'node_modules/.bin/tsc'), '-p', folder], { cwd: folder })
    } catch (error) {
      problems.push(`tsc with the types of ${environment}, strict ${strict}: ${Object(error).output?.stdout}`)
    }
  }
}

const { size } = statSync(tarball)
console.log(`tarball ${size} B of ${maxBytes} B`)
if (size > maxBytes) problems.push('the tarball is over its budget')

const folder = mkdtempSync(join(tmpdir(), 'saleproof-consumer-'))
const installed = join(folder, 'node_modules/@saleproof/sdk')
mkdirSync(installed, { recursive: true })
runSync(['tar', '-xzf', tarball, '--strip-components=1'], { cwd: installed })

for (const name of globSync('*.md', { cwd: installed })) {
  for (const [, target = ''] of readFileSync(join(installed, name), 'utf8').matchAll(
    /\]\((?!https?:)([^)#]+)/g,
  )) {
    if (!existsSync(join(installed, target))) problems.push(`${name} links to ${target}, which is not packed`)
  }
}
checkConsumers(folder)
rmSync(folder, { recursive: true })

for (const problem of problems) console.error(problem)
process.exitCode = problems.length ? 1 : 0
