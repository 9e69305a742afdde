import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import Router from '@koa/router'
import { openBrowser } from '@saleproof/browser'
import { errorCodes, errors, messages } from '@saleproof/schema'
import { openApiDocument } from '@saleproof/schema/openapi'
import Koa from 'koa'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { mountDocs } from '../src/pages/docs/docs.ts'

const version = '1.2.3'
const pages = ['/docs', '/docs/errors']
const files = ['/docs/docs.css', '/docs/initializer.js', '/docs/swagger-ui.css', '/docs/swagger-ui-bundle.js']

let server: Server
let url: string
/** The same pages below a path prefix, as behind a proxy. */
let prefixed: string
const asked: { method: string; path: string; authorization: string }[] = []

beforeAll(async () => {
  const router = new Router({ strict: true, sensitive: true, exclusive: true })
  mountDocs(router, { publicUrl: () => prefixed, version })
  const app = new Koa()
  app.use(async (ctx, next) => {
    asked.push({ method: ctx.method, path: ctx.path, authorization: ctx.get('authorization') })
    if (ctx.path.startsWith('/shop/')) ctx.path = ctx.path.slice('/shop'.length)
    if (ctx.path.startsWith('/api/')) ctx.body = { status: 'error', msg: 'No items found' }
    else await next()
  })
  app.use(router.routes())
  server = createServer(app.callback()).listen(0, '127.0.0.1')
  await once(server, 'listening')
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  prefixed = `${url}/shop`
})

afterAll(() => {
  server.closeAllConnections()
  server.close()
})

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(url + path, { headers: { 'accept-encoding': 'identity', ...headers }, redirect: 'manual' })

describe('what is served', () => {
  test('the OpenAPI document of the address that callers use', async () => {
    const answer = await get('/openapi.json')
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(await answer.json()).toEqual(openApiDocument({ serverUrl: prefixed, version }))
  })

  test('the OpenAPI document follows the address', async () => {
    const before = prefixed
    prefixed = 'https://api.example.com'
    const document = (await (await get('/openapi.json')).json()) as { servers: unknown }
    prefixed = before
    expect(document.servers).toEqual([{ url: 'https://api.example.com' }])
  })

  test.each([...pages, ...files, '/openapi.json', '/docs/favicon-32x32.png'])('%s', async (path) => {
    const answer = await get(path)
    expect(answer.status).toBe(200)
    expect((await answer.arrayBuffer()).byteLength).toBeGreaterThan(100)
    expect(answer.headers.get('cache-control')).toMatch(/^(no-cache|public, max-age=3600)$/)
    const head = await fetch(url + path, { method: 'HEAD', headers: { 'accept-encoding': 'identity' } })
    expect(head.headers.get('content-length')).toBe(answer.headers.get('content-length'))
    const again = await get(path, { 'if-none-match': answer.headers.get('etag') ?? '' })
    expect([again.status, (await again.arrayBuffer()).byteLength]).toEqual([304, 0])
  })

  test('text compressed, with a tag of its own', async () => {
    const plain = await get('/docs/swagger-ui.css')
    const compressed = await get('/docs/swagger-ui.css', { 'accept-encoding': 'gzip' })
    expect(compressed.headers.get('content-encoding')).toBe('gzip')
    expect(await compressed.text()).toBe(await plain.text())
    expect(compressed.headers.get('etag')).not.toBe(plain.headers.get('etag'))
  })

  test.each([
    'index.html',
    'package.json',
    'swagger-initializer.js',
    'oauth2-redirect.html',
    '..%2fpackage.json',
    'toString',
  ])('nothing else of the package: %s', async (name) => {
    expect((await get(`/docs/${name}`)).status).toBe(404)
  })

  test.each([
    ['/docs/', '/docs'],
    ['/docs/errors/', '/docs/errors'],
  ])('%s leads to %s, below a prefix too', async (from, to) => {
    for (const base of [url, prefixed]) {
      const answer = await fetch(base + from, { redirect: 'manual' })
      expect(new URL(answer.headers.get('location') ?? '', base + from).href).toBe(base + to)
    }
  })

  test.each([...pages, ...files, '/openapi.json', '/docs/'])(
    '%s has strict headers that plain HTTP bears',
    async (path) => {
      const { headers } = await get(path)
      const policy = headers.get('content-security-policy') ?? ''
      expect(policy).toContain("default-src 'none'")
      expect(policy).toContain("script-src 'self'")
      expect(policy).toContain("style-src 'self'")
      expect(policy).not.toMatch(/unsafe|upgrade-insecure|https?:|\*/)
      expect(headers.get('strict-transport-security')).toBeNull()
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('x-frame-options')).toBe('DENY')
      expect(headers.get('referrer-policy')).toBe('no-referrer')
      expect(headers.get('access-control-allow-origin')).toBeNull()
    },
  )
})

describe('the page of error codes', () => {
  test('has each code with its status and its explanation in both languages', async () => {
    const html = await (await get('/docs/errors')).text()
    for (const code of errorCodes) {
      const section = html.slice(html.indexOf(`<section id="${code}">`)).split('</section>')[0] ?? ''
      expect(section).toContain(String(errors[code].status))
      expect(section).toContain(`<p lang="en">${messages.en.explanations[code]}</p>`)
      expect(section).toContain(`<p lang="pt">${messages.pt.explanations[code]}</p>`)
    }
    expect(html).not.toMatch(/<script|<style| style=| on\w+=/)
  })
})

describe('in a browser', () => {
  let browser: Browser

  beforeAll(async () => {
    browser = await openBrowser()
  }, 60_000)

  afterAll(() => browser?.close())

  /** A page, what its console said and which hosts it asked. */
  async function open(address: string, options: Parameters<Browser['newPage']>[0] = {}) {
    const page = await browser.newPage(options)
    const complaints: string[] = []
    const hosts = new Set<string>()
    page.on('console', (message) => void (message.type() === 'error' && complaints.push(message.text())))
    page.on('pageerror', (error) => void complaints.push(error.message))
    page.on(
      'request',
      (request) => void hosts.add(request.url().startsWith('data:') ? '' : new URL(request.url()).origin),
    )
    await page.goto(address)
    return { page, complaints, hosts }
  }

  const isWiderThanItsWindow = (page: Page) =>
    page.evaluate('document.documentElement.scrollWidth > document.documentElement.clientWidth')

  test.each(['', '/shop'])(
    'the reference shows the operations below "%s" and asks no other host',
    async (prefix) => {
      const { page, complaints, hosts } = await open(`${url}${prefix}/docs`)
      await page.waitForSelector('#operations-items-listItems')
      await page.click('#operations-items-listItems .opblock-summary-control')
      await page.waitForSelector('#operations-items-listItems .responses-table')
      expect(await page.textContent('#operations-items-listItems')).toContain('no_items')
      await page.click('#operations-items-listItems .try-out__btn')
      await page.click('#operations-items-listItems .execute')
      await page.waitForSelector('#operations-items-listItems .live-responses-table')
      expect(asked.at(-1)).toMatchObject({ method: 'GET', path: `${prefix}/api/items/all` })
      expect(complaints).toEqual([])
      hosts.delete('')
      expect([...hosts]).toEqual([url])
      await page.close()
    },
    30_000,
  )

  test('a key that is entered is sent', async () => {
    const { page, complaints } = await open(`${url}/docs`)
    await page.click('.auth-wrapper .authorize')
    await page.fill('.auth-container [aria-label="auth-bearer-value"]', 'sp_example')
    await page.click('.auth-container .authorize >> nth=0')
    await page.click('.auth-btn-wrapper .btn-done')
    await page.click('#operations-account-getAccount .opblock-summary-control')
    await page.click('#operations-account-getAccount .try-out__btn')
    await page.click('#operations-account-getAccount .execute')
    await page.waitForSelector('#operations-account-getAccount .live-responses-table')
    expect(asked.at(-1)).toMatchObject({ path: '/api/account/details', authorization: 'Bearer sp_example' })
    expect(complaints).toEqual([])
    await page.close()
  }, 30_000)

  const screens = [
    { name: 'phone', viewport: { width: 320, height: 640 }, colorScheme: 'light' },
    { name: 'phone, dark', viewport: { width: 320, height: 640 }, colorScheme: 'dark' },
    { name: 'desk, dark', viewport: { width: 1280, height: 900 }, colorScheme: 'dark' },
  ] as const

  test.each(screens)(
    'the page of error codes on a $name',
    async ({ viewport, colorScheme }) => {
      const { page, complaints, hosts } = await open(`${prefixed}/docs/errors#item_not_found`, {
        viewport,
        colorScheme,
      })
      expect(await isWiderThanItsWindow(page)).toBe(false)
      const colour = await page.evaluate('getComputedStyle(document.body).backgroundColor')
      expect(colour).toBe(colorScheme === 'dark' ? 'rgb(20, 23, 26)' : 'rgb(255, 255, 255)')
      expect(await page.locator('section:target').getAttribute('id')).toBe('item_not_found')
      await page.click('.top a:first-child')
      await page.waitForSelector('#operations-items-listItems')
      expect(page.url()).toBe(`${prefixed}/docs`)
      expect(complaints).toEqual([])
      expect([...hosts].filter(Boolean)).toEqual([url])
      await page.close()
    },
    30_000,
  )
})
