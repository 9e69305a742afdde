import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { openBrowser } from '@saleproof/browser'
import { operations } from '@saleproof/schema'
import type { PurchaseCheck } from '@saleproof/sdk'
import { build } from 'esbuild'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '../support/broken-service.ts'
import { startService, type TestService } from '../support/harness.ts'
import { boundKey, codes, publishableKey, records, secretKey } from '../support/records.ts'

// A page of another origin, with the client of the SDK as a bundler for the browser makes it, in front of the real service.

const contents = `export { createPublishableClient } from '@saleproof/sdk/publishable'
export { createGate } from '@saleproof/sdk/gate'
export { createWebStorageStore } from '@saleproof/sdk/web-storage'`

async function bundlePage() {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: import.meta.dirname },
    bundle: true,
    minify: true,
    write: false,
    platform: 'browser',
    format: 'iife',
    globalName: 'saleproof',
    conditions: ['@saleproof/source'],
  })
  return outputFiles[0]?.text ?? ''
}

const html =
  '<!doctype html><title>A shop</title><link rel="icon" href="data:,"><script src="/page.js"></script>'

async function servePage() {
  const script = await bundlePage()
  const server = createServer((request, response) => {
    const isScript = request.url === '/page.js'
    response.setHeader('Content-Type', isScript ? 'text/javascript' : 'text/html; charset=utf-8')
    response.end(isScript ? script : html)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => server.close() }
}

let browser: Browser
let site: Awaited<ReturnType<typeof servePage>>
let service: TestService
beforeAll(async () => {
  site = await servePage()
  service = await startService({ records })
  browser = await openBrowser()
})
afterAll(async () => {
  await browser?.close()
  await service?.close()
  site?.close()
})

/** A page of its own: what it has asked before a request is not remembered. */
async function openPage() {
  const context = await browser.newContext()
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('console', (message) => void (message.type() === 'error' && complaints.push(message.text())))
  page.on('pageerror', (error) => void complaints.push(error.message))
  await page.goto(site.url)
  return { page, complaints, close: () => context.close() }
}

const clientOf = (apiKey: string, { url } = service) =>
  `saleproof.createPublishableClient(${JSON.stringify({ baseUrl: url, apiKey, maxRetries: 0 })})`

/** The result of a check as the page sees it, as JSON: an error would lose its fields on its way out of the page. */
const check = async (page: Page, apiKey: string, code: string, own = service): Promise<PurchaseCheck> => {
  const checked = `${clientOf(apiKey, own)}.checkPurchase(${JSON.stringify(code)})`
  return JSON.parse(await page.evaluate<string>(`${checked}.then(JSON.stringify)`))
}

/** Method and status of the requests that a service has logged. */
const logged = ({ logs }: TestService) =>
  logs
    .map((line) => JSON.parse(line))
    .filter(({ route }) => route === operations.validatePurchase.path)
    .map(({ method, status }) => `${method} ${status}`)

test('a page of another origin validates purchases with a publishable key', async () => {
  const { page, complaints, close } = await openPage()
  const before = logged(service).length
  const valid = await check(page, publishableKey, codes.active)
  expect(valid).toMatchObject({
    outcome: 'valid',
    purchase: { purchase_code: codes.active, item: { id: 101, name: 'Icon pack' } },
  })
  expect(complaints).toEqual([])
  expect(logged(service).slice(before)).toEqual(['OPTIONS 204', 'POST 200'])
  await close()
})

test('the page knows why a code is invalid', async () => {
  const { page, close } = await openPage()
  const before = logged(service).length
  const asked = [
    [publishableKey, codes.refunded, 'purchase_not_active'],
    [publishableKey, 'ZZZZ-0000', 'purchase_not_found'],
    [publishableKey, codes.others, 'purchase_not_found'],
    [boundKey, codes.video, 'purchase_not_found'],
  ] as const
  for (const [apiKey, code, reason] of asked)
    expect(await check(page, apiKey, code)).toMatchObject({ outcome: 'invalid', reason })
  // A browser remembers the answer to its preflight.
  expect(logged(service).slice(before)).toEqual(['OPTIONS 204', ...asked.map(() => 'POST 404')])
  await close()
})

test('the page knows why it does not know', async () => {
  const { page, close } = await openPage()
  const limited = await startService({ records, env: { SALEPROOF_RATE_LIMIT: '1/60' } })
  await check(page, publishableKey, codes.active, limited)
  expect(await check(page, publishableKey, codes.active, limited)).toMatchObject({
    outcome: 'unknown',
    error: { kind: 'rate_limited', status: 429, retryAfterMs: expect.any(Number) },
  })
  await sql(limited, 'ALTER TABLE "ApiKey" RENAME TO a')
  expect(await check(page, boundKey, codes.active, limited)).toMatchObject({
    outcome: 'unknown',
    error: { kind: 'server', status: 503, retryAfterMs: 1000 },
  })
  expect(await check(page, 'sp_no_such_key_at_all', codes.active)).toMatchObject({
    outcome: 'unknown',
    error: { kind: 'authentication', status: 401, code: 'invalid_api_key' },
  })
  await limited.close()
  expect(await check(page, publishableKey, codes.active, limited)).toMatchObject({
    outcome: 'unknown',
    error: { kind: 'connection' },
  })
  await close()
})

test('no page reads a response to a secret key', async () => {
  const { page, complaints, close } = await openPage()
  const before = logged(service).length
  const found = await check(page, secretKey, codes.active)
  expect(found).toMatchObject({ outcome: 'unknown', error: { kind: 'connection' } })
  expect(JSON.stringify(found)).not.toMatch(/Icon pack|success/)
  expect(complaints.join()).toContain('blocked by CORS policy')
  expect(complaints.join()).toContain("No 'Access-Control-Allow-Origin' header")
  // The service has answered; the browser gives the page nothing of it.
  expect(logged(service).slice(before)).toEqual(['OPTIONS 204', 'POST 200'])
  await close()
})

test('no page reads another operation', async () => {
  const { page, close } = await openPage()
  const { url } = service
  for (const { path } of [operations.getAccount, operations.listItems]) {
    for (const apiKey of [publishableKey, secretKey]) {
      const simple = `fetch(${JSON.stringify(`${url}${path}?api_key=${apiKey}`)})`
      expect(await page.evaluate(`${simple}.then((response) => response.text(), () => 'nothing')`)).toBe(
        'nothing',
      )
    }
  }
  await close()
})

test('a gate in a page asks once', async () => {
  const { page, complaints, close } = await openPage()
  const before = logged(service).length
  const sources = await page.evaluate(`(async () => {
    const gate = saleproof.createGate({ client: ${clientOf(publishableKey)}, onUnknown: 'deny' })
    const code = ${JSON.stringify(codes.active)}
    return [(await gate.check(code)).source, (await gate.check(code)).source]
  })()`)
  expect(sources).toEqual(['api', 'cache'])
  expect(logged(service).slice(before)).toEqual(['OPTIONS 204', 'POST 200'])
  expect(complaints).toEqual([])
  await close()
})

test('a gate in a page keeps its results in localStorage over a reload, and its grace in an outage', async () => {
  const { page, complaints, close } = await openPage()
  const own = await startService({ records })
  const ask = (code: string) =>
    page.evaluate(`(async () => {
      const store = saleproof.createWebStorageStore(localStorage, { pepper: 'p'.repeat(32) })
      const onUnknown = { allowCachedMs: 3_600_000 }
      const client = ${clientOf(publishableKey, own)}
      const gate = saleproof.createGate({ client, store, onUnknown, ttlMs: 1 })
      const { outcome, source } = await gate.check(${JSON.stringify(code)})
      return [outcome, source]
    })()`)
  expect(await ask(codes.active)).toEqual(['valid', 'api'])
  expect(await page.evaluate('Object.keys(localStorage).length')).toBe(2)
  expect(complaints).toEqual([])
  await own.close()
  await page.reload()
  expect(await ask(codes.active)).toEqual(['valid', 'grace'])
  expect(await ask(codes.video)).toEqual(['unknown', expect.any(String)])
  await close()
})
