import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:http'
import { stripTypeScriptTypes } from 'node:module'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { freePort, installInCache, pack, runSync, start } from '@saleproof/process'
import { describe, expect, it, onTestFinished } from 'vitest'

// Real builds of Next.js, whose `fetch` keeps responses on disk: a refunded code must not stay valid.

const packageRoot = join(import.meta.dirname, '..')

const versions = {
  'Next.js 14': { next: '14.2.35', react: '18.3.1', 'react-dom': '18.3.1' },
  'Next.js 16': { next: '16.4.6', react: '19.2.0', 'react-dom': '19.2.0' },
}

/** An API with one purchase for each code, until they are refunded. */
async function serveApi() {
  let refunded = false
  const server = createServer(async (request, response) => {
    const code = new URLSearchParams(await text(request)).get('purchase_code')
    const item = { id: 101, name: 'Icon pack' }
    const purchase = { purchase_code: code, license_type: 'Regular', price: 19, currency: 'USD', item }
    const headers = { 'content-type': 'application/json', 'cache-control': 'no-store' }
    if (refunded) {
      response.writeHead(404, { ...headers, 'x-error-code': 'purchase_not_active' })
      response.end(JSON.stringify({ status: 'error', msg: 'Invalid purchase code' }))
    } else {
      response.writeHead(200, headers)
      response.end(JSON.stringify({ status: 'success', data: { purchase } }))
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    refund() {
      refunded = true
    },
  }
}

/** A project of Next.js with the packed SDK, beneath the folder that holds Next.js. */
function createProject(name: string, dependencies: Readonly<Record<string, string>>) {
  const cache = installInCache(name.toLowerCase().replace(' ', '-'), dependencies)
  const folder = mkdtempSync(join(cache, 'app-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  cpSync(join(packageRoot, 'app'), folder, { recursive: true })
  // The route of the README, which is built without its variables.
  const example = readFileSync(join(packageRoot, '../../packages/sdk/examples/next-route.ts'), 'utf8')
  mkdirSync(join(folder, 'app/download'))
  writeFileSync(join(folder, 'app/download/route.js'), stripTypeScriptTypes(example))
  writeFileSync(join(folder, 'package.json'), '{ "private": true }')
  const tarball = pack(join(packageRoot, '../../packages/sdk'), join(folder, 'packed'))
  const sdk = join(folder, 'node_modules/@saleproof/sdk')
  mkdirSync(sdk, { recursive: true })
  runSync(['tar', '-xzf', tarball, '-C', sdk, '--strip-components=1'], { cwd: folder })
  return { folder, next: join(cache, 'node_modules/next/dist/bin/next') }
}

describe.each(Object.entries(versions))('%s', (name, dependencies) => {
  it('keeps no response of the API, on disk or in a page', async () => {
    const api = await serveApi()
    const { folder, next } = createProject(name, dependencies)
    // Not the project: above its home Next.js looks for no installation.
    const env = { HOME: tmpdir(), SALEPROOF_URL: api.url, NEXT_TELEMETRY_DISABLED: '1' }
    runSync([process.execPath, next, 'build'], { cwd: folder, env })
    const port = String(await freePort())
    const server = start([process.execPath, next, 'start', '-p', port], { cwd: folder, env, group: true })
    onTestFinished(() => server.interrupt())
    const get = async (path: string) => (await fetch(`http://127.0.0.1:${port}${path}`)).text()
    const ask = async () => [await get('/check?code=SOLD-2'), /<p>(\w+)/.exec(await get('/sold'))?.[1]]
    await expect.poll(() => get('/check?code=SOLD-2').catch(() => '')).toBe('valid')
    expect(await ask()).toEqual(['valid', 'valid'])
    api.refund()
    expect(await ask()).toEqual(['invalid', 'invalid'])
    const kept = join(folder, '.next/cache/fetch-cache')
    expect(existsSync(kept) ? readdirSync(kept) : []).toEqual([])
  })
})
