import { execFile, execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { pack } from '@saleproof/pnpm'
import { build } from 'esbuild'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { commands, installRuntimes } from './runtimes.ts'
import { serve } from './server.ts'

// The packed tarball, installed into an empty project as a user does, on every runtime that the package names.

const run = promisify(execFile)
const sdk = join(import.meta.dirname, '../../../packages/sdk')
const programs = join(import.meta.dirname, '../programs')

const expected = {
  outcomes: {
    good: ['valid', 'Icon pack'],
    gzip: ['valid', 'Icon pack'],
    none: ['invalid', 'purchase_not_found'],
    html: ['unknown', 'invalid_response'],
    redirect: ['unknown', 'invalid_response'],
    hang: ['unknown', 'timeout'],
    reset: ['unknown', 'connection'],
    cut: ['unknown', 'invalid_response'],
    large: ['unknown', 'invalid_response'],
    wrongItem: ['invalid', 'wrong_item'],
    nobody: ['unknown', 'connection'],
  },
  aborted: 'aborted',
  sources: ['api', 'cache'],
  decisions: [true, 403],
  mockApi: 'valid',
  error: [
    'SaleproofError',
    'not_found',
    'item_not_found',
    true,
    'The workspace of this key has no item with this id.',
  ],
  prints: false,
}

let runtimes: string
let project: string
let server: Awaited<ReturnType<typeof serve>>

beforeAll(async () => {
  runtimes = installRuntimes()
  project = mkdtempSync(join(tmpdir(), 'saleproof-runtimes-'))
  const tarball = pack(sdk, join(project, 'packed'))
  writeFileSync(join(project, 'package.json'), '{ "private": true }')
  const flags = ['--offline', '--no-audit', '--no-fund', '--loglevel=error']
  execFileSync('npm', ['install', ...flags, tarball], {
    cwd: project,
    stdio: ['ignore', 'ignore', 'inherit'],
    timeout: 180_000,
  })
  cpSync(programs, project, { recursive: true })
  server = await serve()
})

afterAll(() => {
  server?.close()
  if (project) rmSync(project, { recursive: true, force: true })
})

const found = async (file: string, args: readonly string[]) => {
  const env = { PATH: process.env.PATH, HOME: project, SALEPROOF_URL: server.url, DENO_NO_UPDATE_CHECK: '1' }
  const { stdout } = await run(file, args, { cwd: project, env, timeout: 25_000 })
  return JSON.parse(stdout) as unknown
}

it('installs one package', () => {
  const installed = readdirSync(join(project, 'node_modules'), { withFileTypes: true })
  expect(installed.filter(({ name }) => !name.startsWith('.')).map(({ name }) => name)).toEqual([
    '@saleproof',
  ])
  expect(readdirSync(join(project, 'node_modules/@saleproof'))).toEqual(['sdk'])
  expect(existsSync(join(project, 'node_modules/.bin/saleproof-check'))).toBe(true)
})

describe.each(Object.entries(commands))('%s', (_, command) => {
  it.each(['esm.mjs', 'cjs.cjs'])('runs %s', async (program) => {
    const [file, ...args] = command(runtimes)
    expect(await found(file, [...args, join(project, program)])).toEqual(expected)
  })
})

const bundle = (entry: string, conditions: string[]) =>
  build({
    entryPoints: [join(project, entry)],
    bundle: true,
    format: 'esm',
    conditions,
    outfile: join(project, `${entry}.bundle.mjs`),
    logLevel: 'silent',
  })

it('runs on workerd, bundled with the conditions of Wrangler', async () => {
  // Wrangler sets `browser` as well.
  await bundle('worker.mjs', ['workerd', 'worker', 'browser'])
  const node = commands['Node.js 24']!(runtimes)[0]
  const result = await found(node, [
    join(project, 'miniflare.mjs'),
    runtimes,
    join(project, 'worker.mjs.bundle.mjs'),
  ])
  expect(result).toEqual(expected)
})

it('does not build for a browser', async () => {
  writeFileSync(
    join(project, 'page.mjs'),
    "import { createClient } from '@saleproof/sdk'\ncreateClient({})\n",
  )
  await expect(bundle('page.mjs', ['browser'])).rejects.toThrow('No matching export')
  await expect(bundle('page.mjs', ['edge-light', 'worker', 'browser'])).resolves.toMatchObject({ errors: [] })
})

it('has a command', async () => {
  const command = join(project, 'node_modules/.bin/saleproof-check')
  const env = {
    PATH: process.env.PATH,
    SALEPROOF_URL: server.url,
    SALEPROOF_API_KEY: 'sp_runtime_key_0123456789',
  }
  const { stdout } = await run(command, ['good', '--item', '101'], { env })
  expect(stdout).toBe('valid: Icon pack (item 101)\n')
  await expect(run(command, ['none'], { env })).rejects.toMatchObject({ code: 1 })
  await expect(run(command, ['html'], { env })).rejects.toMatchObject({ code: 2 })
  await expect(run(command, [], { env })).rejects.toMatchObject({ code: 64 })
})
