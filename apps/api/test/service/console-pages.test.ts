import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { consoleBuild, readManifest } from '../../src/pages/console/console-pages.ts'
import { startService, type TestService } from '../support/harness.ts'

let service: TestService
let prefixed: TestService

beforeAll(async () => {
  service = await startService()
  prefixed = await startService({ env: { PUBLIC_URL: 'https://shop.example/market' } })
})

afterAll(async () => {
  await service?.close()
  await prefixed?.close()
})

const manifest = readManifest(consoleBuild)
const pages = (manifest?.pages ?? []).map((page) => `/console${page.replace(/:\w+/g, 'a-1')}`)
const files = Object.entries(manifest?.files ?? {})

const getPage = (path: string, headers: Record<string, string> = {}, url = service.url) =>
  fetch(url + path, { headers: { 'accept-encoding': 'identity', ...headers }, redirect: 'manual' })

/** The addresses in a page, as a browser at `address` would ask for them. */
function addressesIn(html: string, address: string): string[] {
  const base = new URL(/<base href="([^"]*)">/.exec(html)?.[1] ?? '', address)
  return [...html.matchAll(/(?:src|href)="(\.[^"]*assets[^"]*)"/g)].map(([, at]) => new URL(at!, base).href)
}

test('there is a build, with pages and files', () => {
  expect(pages).toContain('/console/w/a-1/items')
  expect(files.length).toBeGreaterThan(5)
})

/** What browsers accept where a page is opened. */
const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8'

describe('the address itself', () => {
  test('leads people to the API reference, below a prefix too', async () => {
    for (const [{ url }, path, target] of [
      [service, '/', '/docs'],
      [prefixed, '/market/', '/market/docs'],
      [prefixed, '/market', '/market/docs'],
    ] as const) {
      const answer = await getPage(path, { accept: browser }, url)
      const location = new URL(answer.headers.get('location') ?? '', url + path)
      expect([answer.status, location.pathname, (await fetch(location)).status]).toEqual([302, target, 200])
    }
  })

  test.each(['*/*', 'application/json', '', 'application/json, text/html'])(
    'is the JSON error for a program that accepts %j',
    async (accept) => {
      const { status, headers, text } = await service.request({
        path: '/',
        headers: accept ? { accept } : {},
      })
      expect([status, headers['x-error-code'], text]).toEqual([
        404,
        'route_not_found',
        '{"status":"error","msg":"Not found"}',
      ])
    },
  )
})

describe('a page', () => {
  test.each([...pages, '/console'])('%s finds its files, below a prefix too', async (path) => {
    for (const [{ url }, prefix] of [
      [service, ''],
      [prefixed, '/market'],
    ] as const) {
      const answer = await getPage(prefix + path, {}, url)
      expect(answer.status).toBe(200)
      expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8')
      expect(answer.headers.get('cache-control')).toBe('no-cache')
      const found = addressesIn(await answer.text(), url + prefix + path)
      expect(found.length).toBeGreaterThan(3)
      for (const address of found) {
        expect(address.startsWith(`${url}${prefix}/console/assets/`)).toBe(true)
        expect((await fetch(address)).status).toBe(200)
      }
    }
  })

  test('is revalidated, and sent again only after a change', async () => {
    const { headers } = await getPage('/console')
    const again = await getPage('/console', { 'if-none-match': headers.get('etag') ?? '' })
    expect([again.status, await again.text()]).toEqual([304, ''])
  })

  test('has one inline script', async () => {
    const html = await (await getPage('/console')).text()
    expect(html.split('<script>')).toHaveLength(2)
    expect(html.replace('<script>', '')).not.toMatch(/<script(?![^>]* src=)|\sstyle=|\son\w+=/)
  })

  test.each([
    '/console/nothing',
    '/console/w',
    '/console/w/a/nothing',
    '/console/w/a/items/1/2',
    '/console/w/a/',
  ])('is not shown at %s', async (path) => {
    const answer = await getPage(path)
    expect([answer.status, answer.headers.get('x-error-code')]).toEqual([404, 'route_not_found'])
  })

  test.each(['/console/nothing', '/console/w/a/nothing', '/console/w/a/'])(
    'says in a browser that there is none at %s, below a prefix too',
    async (path) => {
      for (const [{ url }, prefix] of [
        [service, ''],
        [prefixed, '/market'],
      ] as const) {
        const answer = await getPage(prefix + path, { accept: browser }, url)
        expect([answer.status, answer.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8'])
        expect(answer.headers.get('cache-control')).toBe('no-store')
        const found = addressesIn(await answer.text(), url + prefix + path)
        expect(found.length).toBeGreaterThan(3)
        for (const address of found) expect((await fetch(address)).status).toBe(200)
      }
    },
  )

  test.each([...pages, '/console'])('%s has strict headers that work over plain HTTP', async (path) => {
    const page = await getPage(path)
    const { headers } = page
    const policy = headers.get('content-security-policy') ?? ''
    const html = await page.text()
    // The inline style is the skeleton of the page, the inline script applies the theme.
    const hashOf = (tag: string) => {
      const [, inline = ''] = new RegExp(`<${tag}>(.*?)</`, 's').exec(html) ?? []
      return createHash('sha256').update(inline).digest('base64')
    }
    for (const part of [
      "default-src 'none'",
      `script-src 'self' 'sha256-${hashOf('script')}'`,
      `style-src 'self' 'sha256-${hashOf('style')}'`,
      "connect-src 'self'",
      "img-src 'self'",
      "frame-ancestors 'none'",
      "form-action 'none'",
      "require-trusted-types-for 'script'",
    ])
      expect(policy.split(';')).toContain(part)
    expect(policy).not.toMatch(/unsafe|upgrade-insecure|https?:|data:|blob:|\*/)
    expect(headers.get('x-frame-options')).toBe('DENY')
    expect(headers.get('permissions-policy')).toContain('camera=()')
    expect(headers.get('strict-transport-security')).toBeNull()
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('referrer-policy')).toBe('no-referrer')
  })
})

describe('a built file', () => {
  const [script = ''] = files.find(([file]) => file.endsWith('.js')) ?? []
  const get = (encoding: string) =>
    service.request({ path: `/console/${script}`, headers: { 'accept-encoding': encoding } })

  test.each([
    ['gzip, deflate, br, zstd', 'br'],
    ['br;q=0, gzip', 'gzip'],
    ['deflate', undefined],
  ])('for a client that accepts %s comes as %s', async (accepted, chosen) => {
    const plain = await get('identity')
    expect(plain.headers['content-encoding']).toBeUndefined()
    const answer = await get(accepted)
    expect(answer.headers['content-encoding']).toBe(chosen)
    expect(answer.text).toBe(plain.text)
    if (chosen) {
      expect(answer.headers.etag).not.toBe(plain.headers.etag)
      expect(Number(answer.headers['content-length'])).toBeLessThan(Number(plain.headers['content-length']))
    }
  })

  test.each(files)('%s is cached indefinitely', async (name, { type }) => {
    const { status, headers } = await getPage(`/console/${name}`)
    expect([status, headers.get('content-type')]).toEqual([200, type])
    expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(headers.get('vary')).toBe('Accept-Encoding')
    expect(headers.get('content-security-policy')).toBe("default-src 'none';frame-ancestors 'none'")
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('cross-origin-resource-policy')).toBe('same-origin')
    const again = await getPage(`/console/${name}`, { 'if-none-match': headers.get('etag') ?? '' })
    expect(again.status).toBe(304)
  })

  test.each([
    'console.json',
    '..%2fconsole.json',
    '%2e%2e%2findex.html',
    `${files[0]?.[0].split('/')[1]}.br`,
    'toString',
  ])('nothing else of the folder is one: %s', async (name) =>
    expect((await getPage(`/console/assets/${name}`)).status).toBe(404),
  )
})

describe('the media preview', () => {
  const preview = (kind: string, url: string, headers: Record<string, string> = {}) =>
    getPage(`/console/preview?kind=${kind}&url=${encodeURIComponent(url)}`, {
      'sec-fetch-dest': 'iframe',
      ...headers,
    })

  test.each([
    ['image', 'https://media.example/a.png'],
    ['video', 'http://media.example/a.mp4'],
    ['audio', 'https://media.example/a.mp3'],
  ])('%s of %s', async (kind, url) => {
    const answer = await preview(kind, url)
    expect(answer.status).toBe(200)
    const policy = answer.headers.get('content-security-policy')?.split(';') ?? []
    expect(policy).toEqual(
      expect.arrayContaining([
        "default-src 'none'",
        'img-src https: http:',
        'media-src https: http:',
        "frame-ancestors 'self'",
        'sandbox',
      ]),
    )
    expect(policy.filter((part) => part.startsWith('script-src'))).toEqual([])
    expect(answer.headers.get('referrer-policy')).toBe('no-referrer')
    const html = await answer.text()
    expect(html).toContain('<html lang="en">')
    expect(html).toContain(`src="${url}"`)
  })

  test('an address is escaped', async () => {
    const html = await (await preview('image', 'https://media.example/?"><script>alert(1)</script>')).text()
    expect(html).not.toContain('<script>')
    expect(html.match(/"/g)?.length).toBe(html.match(/="[^"]*"/g)!.length * 2)
  })

  test.each([
    ['image', 'javascript:alert(1)'],
    ['image', 'data:text/html,x'],
    ['image', '/relative'],
    ['script', 'https://media.example/a.js'],
    ['toString', 'https://media.example/a.js'],
  ])('refuses %s of %s', async (kind, url) => {
    expect((await preview(kind, url)).status).toBe(400)
  })

  test('works only in a frame', async () => {
    const answer = await preview('image', 'https://media.example/a.png', { 'sec-fetch-dest': 'document' })
    expect(answer.status).toBe(404)
  })
})
