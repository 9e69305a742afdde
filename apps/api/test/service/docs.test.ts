import { readFile } from 'node:fs/promises'
import { errorCodes, errors, messages } from '@saleproof/schema'
import { openApiDocument } from '@saleproof/schema/openapi'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { serveDocs } from '../support/docs-server.ts'

const version = '1.2.3'
const pages = ['/docs', '/docs/errors']
const files = ['/docs/docs.css', '/docs/saleproof.php']

let docs: Awaited<ReturnType<typeof serveDocs>>
let url: string
let prefixed: string

beforeAll(async () => {
  docs = await serveDocs(version)
  url = docs.url
  prefixed = docs.address.prefixed
})
afterAll(() => docs.close())

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(url + path, { headers: { 'accept-encoding': 'identity', ...headers }, redirect: 'manual' })

describe('what is served', () => {
  test('the OpenAPI document of the address that callers use', async () => {
    const answer = await get('/openapi.json')
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(await answer.json()).toEqual(openApiDocument({ serverUrl: prefixed, version }))
  })

  test('the OpenAPI document follows the address', async () => {
    docs.address.prefixed = 'https://api.example.com'
    const document = (await (await get('/openapi.json')).json()) as { servers: unknown }
    docs.address.prefixed = prefixed
    expect(document.servers).toEqual([{ url: 'https://api.example.com' }])
  })

  test.each([...pages, ...files, '/openapi.json', '/favicon.ico'])('%s', async (path) => {
    const answer = await get(path)
    expect(answer.status).toBe(200)
    expect((await answer.arrayBuffer()).byteLength).toBeGreaterThan(100)
    expect(answer.headers.get('cache-control')).toBe('no-cache')
    const head = await fetch(url + path, { method: 'HEAD', headers: { 'accept-encoding': 'identity' } })
    expect(head.headers.get('content-length')).toBe(answer.headers.get('content-length'))
    const again = await get(path, { 'if-none-match': answer.headers.get('etag') ?? '' })
    expect([again.status, (await again.arrayBuffer()).byteLength]).toEqual([304, 0])
  })

  test('the client for PHP, to be saved, byte for byte', async () => {
    const answer = await get('/docs/saleproof.php')
    expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8')
    expect(answer.headers.get('content-disposition')).toBe('attachment; filename="saleproof.php"')
    const file = new URL('../../../../clients/php/saleproof.php', import.meta.url)
    expect(await answer.text()).toBe(await readFile(file, 'utf8'))
  })

  test('text compressed, with a tag of its own', async () => {
    const plain = await get('/docs/docs.css')
    const compressed = await get('/docs/docs.css', { 'accept-encoding': 'gzip' })
    expect(compressed.headers.get('content-encoding')).toBe('gzip')
    expect(await compressed.text()).toBe(await plain.text())
    expect(compressed.headers.get('etag')).not.toBe(plain.headers.get('etag'))
  })

  test.each(['index.html', 'docs.html', 'package.json', '..%2fpackage.json', 'toString'])(
    'nothing beside them: %s',
    async (name) => {
      expect((await get(`/docs/${name}`)).status).toBe(404)
    },
  )

  test('the reference finds its files below a prefix, too', async () => {
    for (const base of [url, prefixed]) {
      const html = await (await fetch(`${base}/docs`)).text()
      const pageBase = new URL(/<base href="([^"]+)">/.exec(html)?.[1] ?? '', `${base}/docs`)
      const files = [...html.matchAll(/(?:src|href)="(\.\/assets\/[^"]+)"/g)].map(([, file = '']) => file)
      expect(files.length).toBeGreaterThan(3)
      for (const file of files) expect((await fetch(new URL(file, pageBase))).status, file).toBe(200)
    }
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
      expect(policy.includes('script-src')).toBe(path === '/docs')
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

  test('speaks the language of the browser, which comes first in each explanation', async () => {
    const portuguese = await get('/docs/errors', { 'accept-language': 'pt-BR, en;q=0.5' })
    expect(portuguese.headers.get('content-language')).toBe('pt')
    expect(portuguese.headers.get('vary')).toBe('Accept-Encoding, Accept-Language')
    const html = await portuguese.text()
    expect(html).toContain('<html lang="pt">')
    expect(html).toContain('<h1>Códigos de erro</h1>')
    const { en, pt } = messages
    expect(html.indexOf(pt.explanations.no_items)).toBeLessThan(html.indexOf(en.explanations.no_items))
    const english = await get('/docs/errors', { 'accept-language': 'fr' })
    expect(await english.text()).toContain('<h1>Error codes</h1>')
    expect(english.headers.get('etag')).not.toBe(portuguese.headers.get('etag'))
  })

  test('leads to the start page, the reference and the console', async () => {
    const html = await (await get('/docs/errors')).text()
    for (const path of ['../', '../docs', '../console']) expect(html).toContain(`href="${path}"`)
  })
})
