import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { findPhp, type Php } from '@saleproof/php'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { codes, keys } from './records.ts'
import { useTestApp } from './test-app.ts'

// What a seller copies from the page, run by the real programs: against the service, and where the service is not to be reached.

const app = useTestApp()
const run = promisify(execFile)
const names = ['curl', 'JavaScript', 'PHP'] as const
type Name = (typeof names)[number]

const snippets = new Map<Name, string>()
let folder: string
let php: Php

beforeAll(async () => {
  php = findPhp()
  // Inside the package, so that the SDK resolves.
  folder = await mkdtemp(join(import.meta.dirname, '.snippet-'))
  const { page, go } = await app.visitAs('ada')
  await go('/w/ada-studio/settings/api-access')
  for (const name of names) {
    await page.getByRole('radio', { name }).click()
    if (name === 'PHP') {
      const saved = page.waitForEvent('download')
      await page.getByRole('link', { name: 'Download saleproof.php' }).click()
      await (await saved).saveAs(join(folder, 'saleproof.php'))
    }
    snippets.set(name, (await page.getByRole('region', { name }).textContent()) ?? '')
  }
})

afterAll(() => rm(folder, { recursive: true, force: true }))

/** What a snippet prints; `url` stands in for the address of the service. */
async function print(name: Name, code: string, url = app.url): Promise<string> {
  const text = (snippets.get(name) ?? '').replaceAll(app.url, url)
  const env = { PATH: process.env.PATH ?? '', SALEPROOF_API_KEY: keys.production, CODE: code }
  if (name === 'curl') return (await run('sh', ['-c', text], { env })).stdout.trim()
  const file = join(folder, name === 'PHP' ? 'snippet.php' : 'snippet.ts')
  await writeFile(file, text)
  if (name === 'PHP') {
    const { stdout, stderr } = await php([file], env)
    expect(stderr).toBe('')
    return stdout
  }
  return (await run(process.execPath, ['--conditions=@saleproof/source', file], { env })).stdout.trim()
}

/** Runs `work` with the address of a server that does the same for every request. */
async function withServer(listener: RequestListener, work: (url: string) => Promise<void>) {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  // A server that listens on a port has an address of this form.
  const { port } = server.address() as AddressInfo
  try {
    await work(`http://127.0.0.1:${port}`)
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

const faults: Record<string, RequestListener> = {
  'a page of a proxy': (_, response) => void response.end('<!doctype html><p>Welcome</p>'),
  'a proxy without a way': (_, response) =>
    void response.writeHead(404).end('<!doctype html><p>Not found</p>'),
  'a proxy whose server is gone': (_, response) => void response.writeHead(502).end('Bad Gateway'),
  'a wrong path': (_, response) =>
    void response
      .writeHead(404, { 'x-error-code': 'route_not_found' })
      .end('{"status":"error","msg":"Not found"}'),
  'a connection that is cut': (_, response) => {
    response.writeHead(200, { 'content-length': '5000' }).write('{"status":"success","data":{"purchase":')
    setTimeout(() => response.destroy(), 20)
  },
}

describe.each(names)('the snippet for %s', (name) => {
  const words = {
    curl: { valid: 'valid', refunded: 'invalid', unsold: 'invalid', unknown: /^unknown$/ },
    JavaScript: {
      valid: 'Harbour icons',
      refunded: 'purchase_not_active',
      unsold: 'purchase_not_found',
      unknown: /^(connection|invalid_response|server|not_found)$/,
    },
  }
  const expected = words[name === 'curl' ? 'curl' : 'JavaScript']

  test('shows a valid code', async () => {
    expect(await print(name, codes.active)).toBe(expected.valid)
  })

  test('shows a refunded code, and one that was never sold', async () => {
    expect(await print(name, codes.refunded)).toBe(expected.refunded)
    expect(await print(name, 'NEVER-SOLD-CODE-0001')).toBe(expected.unsold)
  })

  test.each(Object.entries(faults))('does not take %s for an answer', async (_, listener) => {
    await withServer(listener, async (url) => {
      expect(await print(name, codes.active, url)).toMatch(expected.unknown)
    })
  })

  test('does not take a service that is down for an answer', async () => {
    expect(await print(name, codes.active, 'http://127.0.0.1:9')).toMatch(expected.unknown)
  })
})

test('the program of the page Passes believes the service, and no other that says the same', async () => {
  const { page, go } = await app.visitAs('ada')
  await go('/w/ada-studio/settings/passes')
  await page.getByRole('radio', { name: 'PHP' }).click()
  const text = (await page.getByRole('region', { name: 'PHP' }).textContent()) ?? ''
  const file = join(folder, 'passes.php')
  const ask = async (code: string, url = app.url) => {
    const program = text.replace('spp_YOUR_PUBLISHABLE_KEY', keys.production).replaceAll(app.url, url)
    await writeFile(file, `${program}\necho $saleproof->check(getenv('CODE'))->outcome;`)
    const { stdout, stderr } = await php([file], { PATH: process.env.PATH ?? '', CODE: code })
    expect(stderr).toBe('')
    return stdout
  }
  expect(await ask(codes.active)).toBe('valid')
  expect(await ask(codes.refunded)).toBe('invalid')
  const body = await fetch(`${app.url}/api/purchases/validation`, {
    method: 'POST',
    headers: { authorization: `Bearer ${keys.production}` },
    body: new URLSearchParams({ purchase_code: codes.active }),
  }).then((response) => response.text())
  await withServer(
    (_, response) => void response.writeHead(200, { 'content-type': 'application/json' }).end(body),
    async (url) => expect(await ask(codes.active, url)).toBe('unknown'),
  )
})
