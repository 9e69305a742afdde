import { expect, test } from 'vitest'
import { readAddress } from '../../src/db/postgres/address.ts'
import { withConnection } from '../../src/db/postgres/connection.ts'
import { eventually } from '../faults/serving.ts'
import { send } from '../support/client.ts'
import { ndjson } from '../support/harness.ts'
import { spawnSaleproof, spawnServe } from '../support/process.ts'
import { codes, records, secretKey } from '../support/records.ts'
import { notReady, startMonitoring } from './attended.ts'
import { environmentFor, shopUrl, startShop } from './servers.ts'
import { startProxy } from './tcp-proxy.ts'
import { startSecuredShop } from './tls-servers.ts'

// The server is a real one, with certificates that are made here, and lets the shop in by TLS alone.

const timeout = 120_000

/** How a connection is protected, or the code of why there is none. */
const outcomeOf = (url: string) =>
  withConnection(readAddress(url), { lockTimeoutMs: 50 }, async ({ protection }) => protection).catch(
    ({ name, reason }) => `${name} ${reason}`,
  )

async function outcomes(cases: Record<string, string>, urlOf: (parameters: string) => string) {
  const found: Record<string, string> = {}
  for (const parameters of Object.keys(cases)) found[parameters] = await outcomeOf(urlOf(parameters))
  return found
}

const [checked, half, unchecked] = [
  'certificate and host name checked',
  'certificate checked',
  'certificate not checked',
]
const fails = (code: string) => `DatabaseError ${code}`

test(
  'each parameter asks for what it asks of the programs of PostgreSQL',
  async () => {
    const { shop, files } = await startSecuredShop({ migrated: false })
    const roots = `sslrootcert=${files.authority}`
    const [otherRoots, own] = [
      `sslrootcert=${files.another}`,
      `sslcert=${files.client}&sslkey=${files.clientKey}`,
    ]
    const cases = {
      'shop?': fails('28000'),
      'shop?sslmode=disable': fails('28000'),
      'shop?sslmode=require': `with TLSv1.3, ${unchecked}`,
      [`shop?sslmode=require&${roots}`]: `with TLSv1.3, ${half}`,
      [`shop?sslmode=require&${otherRoots}`]: fails('TLS_UNTRUSTED'),
      [`shop?sslmode=verify-ca&${roots}`]: `with TLSv1.3, ${half}`,
      [`shop?sslmode=verify-ca&${otherRoots}`]: fails('TLS_UNTRUSTED'),
      [`shop?sslmode=verify-full&${roots}`]: `with TLSv1.3, ${checked}`,
      [`shop?sslmode=verify-full&sslrootcert=${files.both}`]: `with TLSv1.3, ${checked}`,
      [`shop?sslmode=verify-full&${otherRoots}`]: fails('TLS_UNTRUSTED'),
      'shop?sslmode=verify-full': fails('TLS_UNTRUSTED'),
      'shop?sslmode=verify-full&sslrootcert=system': fails('TLS_UNTRUSTED'),
      [`shop?sslmode=verify-full&sslrootcert=${files.empty}`]: fails('TLS_FILES'),
      'shop?sslmode=require&sslrootcert=/nowhere': fails('TLS_FILES'),
      // A client that is let in learns that there is no such database.
      'certified?sslmode=require': fails('28000'),
      [`certified?sslmode=require&${own}`]: fails('3D000'),
      [`shop?sslmode=require&sslcert=${files.client}&sslkey=${files.anotherKey}`]: fails('TLS_FILES'),
      [`shop?sslmode=require&sslcert=${files.another}&sslkey=${files.anotherKey}`]: fails('TLS_FAILED'),
    }
    expect(await outcomes(cases, (rest) => shopUrl(shop.port).replace(/shop$/, rest))).toEqual(cases)
    const wrong = shopUrl(shop.port, '?sslmode=require').replace('a-password', 'another')
    expect(await outcomeOf(wrong)).toBe(fails('28P01'))
  },
  timeout,
)

test(
  'a certificate that is for another host, or no longer valid',
  async () => {
    const { shop, files, present, certificates } = await startSecuredShop({ migrated: false })
    const modes = (full: string, half: string, none: string) => ({
      [`?sslmode=verify-full&sslrootcert=${files.authority}`]: full,
      [`?sslmode=verify-ca&sslrootcert=${files.authority}`]: half,
      '?sslmode=require': none,
    })
    const afterwards = (rest: string) => shopUrl(shop.port, rest)
    await present(certificates.forAnotherHost)
    const other = modes(fails('TLS_WRONG_HOST'), `with TLSv1.3, ${half}`, `with TLSv1.3, ${unchecked}`)
    expect(await outcomes(other, afterwards)).toEqual(other)
    await present(certificates.expired)
    const late = modes(fails('TLS_EXPIRED'), fails('TLS_EXPIRED'), `with TLSv1.3, ${unchecked}`)
    expect(await outcomes(late, afterwards)).toEqual(late)
  },
  timeout,
)

test(
  'a server without TLS is used only where none was asked for',
  async () => {
    const shop = await startShop({ migrated: false })
    const cases = {
      '': 'without encryption',
      '?sslmode=disable': 'without encryption',
      '?sslmode=require': fails('TLS_REFUSED'),
      '?sslmode=verify-full': fails('TLS_REFUSED'),
    }
    expect(await outcomes(cases, (rest) => shopUrl(shop.port, rest))).toEqual(cases)
    const { code, stderr } = await spawnSaleproof(['migrate'], {
      cwd: process.cwd(),
      env: environmentFor(shopUrl(shop.port, '?sslmode=require')),
    })
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^the database has no TLS.*\(TLS_REFUSED\)\n$/)])
  },
  timeout,
)

test(
  'every command and process connects with TLS, without a word of the driver',
  async () => {
    // Without that doctor would find something else.
    const { shop, files, folder } = await startSecuredShop({ migrated: false, fsync: 'on' })
    const parameters = `?sslmode=verify-full&sslrootcert=${files.authority}`
    const url = shopUrl(shop.port, parameters)
    const run = async (args: string[], env = environmentFor(url), input = '') => {
      const { code, stdout, stderr } = await spawnSaleproof(args, { cwd: folder, env, input })
      expect(code, stderr).toBe(0)
      expect(stderr).not.toMatch(/SECURITY|\(node:/)
      return stdout
    }
    await run(['migrate'])
    await run(['import', '-'], environmentFor(url), ndjson(records))
    expect(await run(['key', 'create', '--workspace', 'ada-studio'])).toMatch(/^\S{16,}\n$/)
    expect((await run(['export'])).split('\n').length).toBeGreaterThan(records.length)
    const env = {
      ...environmentFor(url),
      ADMIN_TOKEN: 'a-token-of-the-shop-elsewhere',
      WEB_CONCURRENCY: '2',
      DATABASE_DIRECT_URL: url,
    }
    const { stdout } = await spawnSaleproof(['doctor', '--json'], { cwd: folder, env })
    expect(stdout).toContain(`connected with TLSv1.3, ${checked}`)
    const server = await spawnServe({ cwd: folder, env })
    const headers = { authorization: `Bearer ${env.ADMIN_TOKEN}`, 'content-type': 'application/x-ndjson' }
    const imported = { method: 'POST', path: '/admin/import', headers, body: ndjson(records) }
    expect((await send(server.url, imported)).status).toBe(200)
    const key = { 'x-api-key': secretKey }
    for (const path of ['/api/account/details', '/api/items/all', '/api/items/item?item_id=101', '/readyz'])
      expect((await send(server.url, { path, headers: key })).status).toBe(200)
    const validation = `/api/purchases/validation?purchase_code=${encodeURIComponent(codes.active)}`
    expect((await send(server.url, { method: 'POST', path: validation, headers: key })).status).toBe(200)
    server.signal('SIGTERM')
    expect(await server.done).toMatchObject({ code: 0, stderr: `listening on ${server.url}\n` })
  },
  timeout,
)

test(
  'what is wrong with TLS is one line of a command, which ends with 1',
  async () => {
    const { shop, files, present, certificates, folder } = await startSecuredShop({ migrated: false })
    async function say(commands: readonly string[][], parameters: string, says: RegExp) {
      for (const args of commands) {
        const options = { cwd: folder, env: environmentFor(shopUrl(shop.port, parameters)) }
        const { code, stdout, stderr } = await spawnSaleproof(args, options)
        expect([args[0], code, stdout, stderr]).toEqual([args[0], 1, '', expect.stringMatching(says)])
        expect(stderr).not.toMatch(/a-password|BEGIN|\n./)
      }
    }
    await say(
      [['migrate'], ['serve'], ['import', '-']],
      `?sslmode=verify-full&sslrootcert=${files.another}`,
      /^the certificate .* sslrootcert \(TLS_UNTRUSTED\)/,
    )
    await present(certificates.forAnotherHost)
    await say(
      [['key', 'list']],
      `?sslmode=verify-full&sslrootcert=${files.authority}`,
      /^the certificate .* \(TLS_WRONG_HOST\)/,
    )
  },
  timeout,
)

test(
  'a certificate that is no longer right while the service runs, and connections that are cut off',
  async () => {
    const { shop, files, present, certificates } = await startSecuredShop()
    const proxy = await startProxy(shop.port)
    const service = await startMonitoring(
      shopUrl(proxy.port, `?sslmode=verify-full&sslrootcert=${files.authority}`),
    )
    for (const wrong of [certificates.ofAnother, certificates.forAnotherHost]) {
      await present(wrong)
      proxy.moveTo(shop.port)
      await service.traffic.until('unavailable')
      expect(await service.readiness()).toEqual(notReady)
      await present(certificates.right)
      await service.untilReady()
    }
    for (let time = 0; time < 5; time++) {
      proxy.moveTo(shop.port)
      await eventually(async () => (await service.readiness()).status === 200)
    }
    await service.conclude()
  },
  timeout,
)
