import { cpSync, existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openBrowser } from '@saleproof/browser'
import { startFalseService } from '@saleproof/faults/false-service'
import { run } from '@saleproof/process'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createProject, type Project } from './project.ts'
import { commands, compatibilityDates } from './runtimes.ts'
import { serve } from './server.ts'

// The packed tarball, installed into an empty project as a user does, on every runtime that the package names.

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
  inApp: ['valid', 'invalid', 'unknown', 'unknown'],
  aborted: 'aborted',
  sources: ['api', 'cache'],
  // After a restart, and after the entries were altered.
  stored: ['api', 'cache', 'api'],
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

let project: Project
let server: Awaited<ReturnType<typeof serve>>
let falseService: Awaited<ReturnType<typeof startFalseService>>

beforeAll(async () => {
  project = await createProject()
  server = await serve()
  falseService = await startFalseService(Number(process.env.FALSE_ANSWERS ?? 120))
})

afterAll(() => {
  server?.close()
  falseService?.close()
  project?.remove()
  // Whatever keys it says to have: those are in the program.
  expect(falseService?.asked.keys).toBe(0)
})

/** What a runtime has to make of a server that plays the service. */
const believesNone = () => ({
  outcomes: { 'unknown unsigned_response': falseService.plan.count },
  honest: 'valid',
  wrong: [],
})

it('installs one package', () => {
  const installed = readdirSync(join(project.folder, 'node_modules'), { withFileTypes: true })
  expect(installed.filter(({ name }) => !name.startsWith('.')).map(({ name }) => name)).toEqual([
    '@saleproof',
  ])
  expect(readdirSync(join(project.folder, 'node_modules/@saleproof'))).toEqual(['sdk'])
  expect(existsSync(join(project.folder, 'node_modules/.bin/saleproof-check'))).toBe(true)
})

describe.each(Object.keys(commands))('%s', (runtime) => {
  it.each(['esm.mjs', 'cjs.cjs'])('runs %s', async (program) => {
    expect(await project.run(runtime, program, server.url)).toEqual(expected)
  })

  it('keeps results in files and guards a server', async () => {
    expect(await project.run(runtime, 'files.mjs', server.url)).toEqual({
      sources: ['api', 'cache'],
      files: true,
      answers: [
        [200, 'Icon pack'],
        [403, '{"error":"purchase_not_found"}'],
        [401, '{"error":"missing_code"}'],
      ],
    })
  })

  it('believes no server that plays the service', async () => {
    expect(await project.run(runtime, 'passes.mjs', falseService.url)).toEqual(believesNone())
  }, 300_000)
})

describe.each(compatibilityDates)('workerd with the compatibility date %s', (date) => {
  it('runs a worker, bundled with the conditions of Wrangler', async () => {
    expect(await project.runWorker('miniflare.mjs', 'worker.mjs', date, server.url)).toEqual(expected)
  })

  it('believes no server that plays the service', async () => {
    const run = project.runWorker('miniflare.mjs', 'passes-worker.mjs', date, falseService.url)
    expect(await run).toEqual(believesNone())
  }, 300_000)

  it('lets no request that ends early affect a later one', async () => {
    const found = await project.runWorker('gate-miniflare.mjs', 'gate-worker.mjs', date, server.url)
    expect(found).toEqual({
      sameCode: ['valid', 'api'],
      again: ['valid', 'api'],
      afterMany: ['valid', 'api'],
      concurrent: Array(3).fill(['valid', 'api']),
      failure: ['unknown', 'api', 'connection'],
      grace: ['valid', 'grace'],
      inBackground: ['valid', 'grace'],
      recovered: ['valid', 'api'],
      inline: ['valid', 'api'],
    })
  }, 90_000)

  it('keeps results in Workers KV, and writes a key at most once a second', async () => {
    expect(await project.runWorker('kv-miniflare.mjs', 'kv-worker.mjs', date, server.url)).toEqual({
      first: ['valid', 'api'],
      concurrent: Array(3).fill('valid'),
      elsewhere: ['valid', 'cache'],
      forgotten: ['valid', 'api'],
      invalid: ['invalid', 'api'],
      // Of both gates the time mark, and the results of each: two codes, and two with one that it forgets.
      writes: { done: 7, tooEarly: 0, errors: [] },
      forgottenAtOnce: ['valid', 'api'],
      tooEarly: 0,
    })
  })

  it('keeps results in Durable Objects, which other isolates see at once', async () => {
    const found = await project.runWorker('objects-miniflare.mjs', 'objects-worker.mjs', date, server.url)
    expect(found).toEqual({
      first: ['valid', 'api'],
      elsewhere: ['valid', 'cache'],
      forgotten: ['valid', 'api'],
      invalid: [
        ['invalid', 'api'],
        ['invalid', 'cache'],
      ],
      // Of three gates the time mark; two results, a deletion, and a no; of each of these requests its begin and its end.
      writes: { count: 13, names: 5, errors: [] },
      // What another one wrote meanwhile is not replaced.
      expired: ['kept', 'kept', 'next', ''],
      restarted: ['valid', 'cache'],
    })
  })
})

describe('a page in Chromium', () => {
  let browser: Awaited<ReturnType<typeof openBrowser>>
  let context: Awaited<ReturnType<typeof browser.newContext>>
  beforeAll(async () => {
    browser = await openBrowser()
    context = await browser.newContext()
  })
  afterAll(() => browser?.close())

  /** Opens a page of this address, of its origin: a secure context, with the storage of that. */
  async function open(url: string, program: string) {
    await project.bundle(program, ['browser'])
    const page = await context.newPage()
    await page.goto(url)
    await page.addScriptTag({ path: join(project.folder, `${program}.bundle.mjs`) })
    return page
  }

  it('believes no server that plays the service', async () => {
    const page = await open(`${falseService.url}/plan`, 'passes-page.mjs')
    expect(await page.evaluate('found')).toEqual(believesNone())
  }, 300_000)

  it('keeps results in its storage, over a reload while the API is away', async () => {
    const first = await open(server.url, 'web-storage-page.mjs')
    expect(await first.evaluate("checkInPage('good')")).toBe('valid api')
    await first.close()
    const second = await open(server.url, 'web-storage-page.mjs')
    await context.setOffline(true)
    expect(await second.evaluate("checkInPage('good')")).toBe('valid cache')
    expect(await second.evaluate("checkInPage('good', 3_600_000)")).toBe('valid grace')
    expect(await second.evaluate("checkInPage('none')")).toBe('unknown api')
    const names = await second.evaluate<string[]>('Object.keys(localStorage)')
    expect(names).toEqual(names.map(() => expect.stringMatching(/^saleproof:[0-9a-f]{64}$/)))
  })
})

it('has examples that the oldest Node.js runs with the flag of the README', async () => {
  const [node] = project.commandFor('Node.js 22.13')
  const names = ['guard.ts', 'next-route.ts', 'cloudflare-worker.ts']
  const packed = join(project.folder, 'node_modules/@saleproof/sdk/examples')
  // Those that are not packed.
  const others = join(import.meta.dirname, '../../../packages/sdk/examples')
  for (const name of names)
    cpSync(join(name === 'guard.ts' ? packed : others, name), join(project.folder, name))
  const program = names.map((name) => `import './${name}'`).join('\n')
  writeFileSync(join(project.folder, 'examples.mjs'), program)
  const examples = await run([node, '--experimental-strip-types', 'examples.mjs'], { cwd: project.folder })
  expect(examples).toMatchObject({ code: 0 })
})

it('does not build for a browser', async () => {
  writeFileSync(
    join(project.folder, 'page.mjs'),
    "import { createClient } from '@saleproof/sdk'\ncreateClient({})\n",
  )
  // Those of a bundler for pages, for web workers, for React Native and for the renderer of Electron.
  for (const conditions of [['browser'], ['worker', 'browser'], ['react-native'], ['browser', 'node']])
    await expect(project.bundle('page.mjs', conditions)).rejects.toThrow('No matching export')
  await expect(project.bundle('page.mjs', ['edge-light', 'worker', 'browser'])).resolves.toMatchObject({
    errors: [],
  })
})

it('builds for a browser with a publishable key', async () => {
  const used = [
    'createPublishableClient({ baseUrl: "https://market.example.com", apiKey: "k" })',
    'isSaleproofError(1)',
  ]
  const imports = "import { createPublishableClient, isSaleproofError } from '@saleproof/sdk/publishable'"
  writeFileSync(join(project.folder, 'app.mjs'), [imports, ...used, ''].join('\n'))
  await expect(project.bundle('app.mjs', ['browser'])).resolves.toMatchObject({ errors: [], warnings: [] })
})

it("runs in Jest's mode for ES modules", async () => {
  const config = JSON.stringify({ rootDir: project.folder, testMatch: ['**/*.jest.mjs'], transform: {} })
  const [node] = project.commandFor('Node.js 24')
  const jest = join(project.runtimes, 'node_modules/jest/bin/jest.js')
  const { stderr } = await run([node, '--experimental-vm-modules', jest, '--config', config], {
    cwd: project.folder,
  })
  expect(stderr).toMatch(/Tests: +1 passed, 1 total/)
})

it('has a command', async () => {
  const command = join(project.folder, 'node_modules/.bin/saleproof-check')
  const env = { SALEPROOF_URL: server.url, SALEPROOF_API_KEY: 'sp_runtime_key_0123456789' }
  const check = (...args: string[]) => run([command, ...args], { cwd: project.folder, env })
  expect(await check('good', '--item', '101')).toMatchObject({ stdout: 'valid: Icon pack (item 101)\n' })
  expect(await check('none')).toMatchObject({ code: 1 })
  expect(await check('html')).toMatchObject({ code: 2 })
  expect(await check()).toMatchObject({ code: 64 })
})
