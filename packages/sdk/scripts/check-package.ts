import { execFileSync } from 'node:child_process'
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core'
import { pack } from '@saleproof/pnpm'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import { apiReportProblems } from './api-report.ts'
import { budgets } from './budgets.ts'

// Checks what is published: the packed tarball, as a user installs it.

const packageRoot = join(import.meta.dirname, '..')

const problems: string[] = []
const tarball = pack(packageRoot, join(packageRoot, '.cache/packed'))
const data = readFileSync(tarball)

/** Types of all entries, in every way that a program can import them. */
async function checkTypes() {
  const result = await checkPackage(createPackageFromTarballData(new Uint8Array(data)))
  if (!result.types) problems.push('attw: the package has no types')
  else for (const problem of result.problems) problems.push(`attw: ${JSON.stringify(problem)}`)
}

async function checkManifest(folder: string) {
  const { messages, pkg } = await publint({ pkgDir: folder, strict: true, pack: false })
  for (const message of messages) problems.push(`publint: ${formatMessage(message, pkg)}`)
}

const consumer = `
import { createClient, isSaleproofError, type Purchase } from '@saleproof/sdk'
import { createGate, createRedisStore, sealStore } from '@saleproof/sdk/gate'
import { createGuard } from '@saleproof/sdk/guard'
import { explain } from '@saleproof/sdk/messages'
import { createFileStore, expressGuard, fastifyGuard, koaGuard } from '@saleproof/sdk/node'
import { createPublishableClient, type PublishableClient } from '@saleproof/sdk/publishable'
import { strictValidator } from '@saleproof/sdk/schemas'
import { createMockApi } from '@saleproof/sdk/testing'
const mockApi = createMockApi()
const client = createClient({ baseUrl: mockApi.baseUrl, apiKey: mockApi.apiKey, fetch: mockApi.fetch, validate: strictValidator, shape: 'base' })
const guard = createGuard({ gate: createGate({ client, onUnknown: 'deny' }) })
export const respond = async (request: Request) => {
  const decision = await guard(request)
  return decision.allowed ? new Response(decision.purchase.item.name) : decision.response()
}
export const price = async (code: string): Promise<number | string> => {
  const check = await client.checkPurchase(code)
  return check.outcome === 'valid' ? check.purchase.price : check.outcome === 'unknown' ? explain(check.error) : check.reason
}
export const publishable: PublishableClient<'base'> = createPublishableClient({ baseUrl: mockApi.baseUrl, apiKey: mockApi.apiKey, shape: 'base' })
export const gateOfApp = createGate({ client: publishable, onUnknown: 'deny' })
const pepper = 'a secret of at least 32 characters'
const entries = new Map<string, string>()
const raw = { get: (key: string) => entries.get(key), set: (key: string, value: string) => entries.set(key, value), delete: (key: string) => entries.delete(key) }
const stores = [createFileStore({ directory: 'codes', pepper }), createRedisStore(async (args: string[]) => args.length, { pepper }), sealStore(raw, { pepper })]
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
      execFileSync(join(packageRoot, 'node_modules/.bin/tsc'), ['-p', folder], { encoding: 'utf8' })
    } catch (error) {
      problems.push(`tsc with the types of ${environment}, strict ${strict}: ${Object(error).stdout}`)
    }
  }
}

const folder = join(packageRoot, '.cache/consumer')
const installed = join(folder, 'node_modules/@saleproof/sdk')
rmSync(folder, { recursive: true, force: true })
mkdirSync(installed, { recursive: true })
execFileSync('tar', ['-xzf', tarball, '-C', installed, '--strip-components=1'])
const files = globSync('**/*', { cwd: installed, withFileTypes: true }).filter((file) => file.isFile())
const unpacked = files.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0)
const manifest: object = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'))

if ('dependencies' in manifest) problems.push('the package has dependencies')
console.log(
  `tarball ${data.length} B of ${budgets.tarball} B, unpacked ${unpacked} B of ${budgets.unpacked} B`,
)
if (data.length > budgets.tarball || unpacked > budgets.unpacked)
  problems.push('the package is over its budget: make it smaller, or raise scripts/budgets.ts and say why')
for (const { parentPath, name } of files) {
  const text = readFileSync(join(parentPath, name), 'utf8')
  if (name.endsWith('.md')) {
    for (const [, target = ''] of text.matchAll(/\]\((?!https?:)([^)#]+)/g)) {
      if (!existsSync(join(parentPath, target)))
        problems.push(`${name} links to ${target}, which is not packed`)
    }
  }
  if (!/\.(js|d\.ts)$/.test(name)) continue
  if (/valibot/i.test(text)) problems.push(`${name} speaks of valibot`)
  const longest = Math.max(...text.split('\n').map(({ length }) => length))
  if (longest > 1_000)
    problems.push(`${name} has a line of ${longest} characters: a stack trace would print it`)
}
await checkTypes()
await checkManifest(installed)
checkConsumers(folder)
problems.push(...(await apiReportProblems()))

for (const problem of problems) console.error(problem)
console.log(`${problems.length} problems`)
process.exitCode = problems.length ? 1 : 0
