import { generateKeyPairSync, hash } from 'node:crypto'
import { join } from 'node:path'
import { operations } from '@saleproof/schema'
import { createClient } from '@saleproof/sdk'
import { createGate } from '@saleproof/sdk/gate'
import { createFileStore } from '@saleproof/sdk/node'
import { verifyPasses } from '@saleproof/sdk/passes'
import { createPublishableClient } from '@saleproof/sdk/publishable'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { generateSigningKey, openSigningKey } from '../../src/crypto/signing-key.ts'
import { createSigningKeys } from '../../src/domain/signing-keys.ts'
import { sql } from '../support/broken-service.ts'
import { saleproof } from '../support/command.ts'
import { type Browser, createBrowser, password } from '../support/console-client.ts'
import { databaseUrlIn } from '../support/database.ts'
import { startService, type TestService, temporaryFolder } from '../support/harness.ts'
import { checkAgainstOpenApi } from '../support/openapi-check.ts'
import { opensslVerifies, partsOf } from '../support/passes.ts'
import { boundKey, codes, otherKey, publishableKey, records, secretKey } from '../support/records.ts'

let home: Awaited<ReturnType<typeof temporaryFolder>>
let service: TestService
let ada: Browser
/** The first signing key of the workspace. */
let first: { id: string; public_key: string }
const studio = { slug: 'ada-studio' }
let now = new Date('2026-11-25T12:00:00.900Z')

beforeAll(async () => {
  home = await temporaryFolder()
  const withPassword = records.map((record) =>
    (record as { type: string }).type === 'account' ? { ...record, password } : record,
  )
  service = await startService({ records: withPassword, folder: home.folder, clock: () => now })
  ada = createBrowser(service.url)
  await ada.signIn('ada')
  first = (await ada.ask('listSigningKeys', studio, {})).signing_keys[0]!
})
afterAll(async () => {
  await service.close()
  await home.remove()
})

const place = async () => ({ cwd: home.folder, env: { DATABASE_URL: await databaseUrlIn(home.folder) } })
const run = async (...args: string[]) => saleproof(['signing-key', ...args], await place())
const cli = async (...args: string[]) => {
  const { code, stdout, stderr } = await run(...args)
  expect([code, code ? stderr : ''], stderr).toEqual([0, ''])
  return stdout.trim()
}
const rotate = async () => {
  const publicKey = await cli('rotate', '--workspace', 'ada-studio')
  const list = JSON.parse(await cli('list', '--workspace', 'ada-studio', '--json'))
  expect(list[0]).toMatchObject({ public_key: publicKey, retired: null })
  return list[0] as { id: string; public_key: string }
}

interface Asked {
  key?: string
  code?: string
  /** The signing keys that `Prefer` names. */
  ids?: readonly string[]
  /** Further parameters. */
  more?: object
}

const ask = ({ key = secretKey, code = codes.active, ids = [], more = {} }: Asked = {}) =>
  service.request({
    method: 'POST',
    path: operations.validatePurchase.path,
    headers: {
      'content-type': 'application/json',
      'x-api-key': key,
      ...(ids.length && { prefer: `pass=${ids.join(',')}` }),
    },
    body: JSON.stringify({ purchase_code: code, ...more }),
  })
const passOf = async (asked: Asked) => (await ask(asked)).headers['x-purchase-pass']
const signedBy = async (asked: Asked) => {
  const pass = await passOf(asked)
  return pass && partsOf(pass)[0].kid
}

describe('a success that was asked for a pass', () => {
  test('carries one that OpenSSL verifies, and the same body', async () => {
    const plain = await ask({ more: { shape: 'extended' } })
    expect(plain.headers).not.toHaveProperty('x-purchase-pass')
    const answers = [
      await ask({ ids: [first.id], more: { shape: 'extended' } }),
      await ask({ more: { shape: 'extended', pass: `unknown,${first.id}` } }),
    ]
    for (const { text, headers } of answers) {
      expect(text).toBe(plain.text)
      expect(headers['cache-control']).toBe('no-store')
      const pass = headers['x-purchase-pass']!
      expect(partsOf(pass)).toEqual([
        { alg: 'EdDSA', typ: 'purchase-pass+jwt', kid: first.id },
        {
          aud: 'ada-studio',
          sub: hash('sha256', `saleproof-pass\0${codes.active}`, 'base64url'),
          item: 101,
          license: 'Regular',
          supported_until: JSON.parse(text).data.purchase.supported_until,
          iat: Math.floor(now.getTime() / 1000),
          exp: Math.floor(now.getTime() / 1000) + 14 * 24 * 3600,
        },
      ])
      expect(opensslVerifies(pass, first.public_key)).toBe(true)
      expect(opensslVerifies(pass, Buffer.alloc(32, 1).toString('base64url'))).toBe(false)
      expect(opensslVerifies(pass.replace(/^e/, 'f'), first.public_key)).toBe(false)
    }
  })

  test('is what the SDK believes, of its own workspace and keys alone', async () => {
    const outcomeWith = async (workspace: string, publicKey: string) => {
      const passes = verifyPasses({ workspace, publicKeys: [publicKey], now: () => now.getTime() })
      const shape = 'extended'
      const client = createClient({ baseUrl: service.url, apiKey: secretKey, shape, maxRetries: 0, passes })
      const check = await client.checkPurchase(codes.active, { itemId: 101 })
      return check.outcome === 'unknown' ? check.error.code : check.outcome
    }
    expect(await outcomeWith('ada-studio', first.public_key)).toBe('valid')
    expect(await outcomeWith('another', first.public_key)).toBe('unsigned_response')
    const { x: stranger = '' } = generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' })
    expect(await outcomeWith('ada-studio', stranger)).toBe('unsigned_response')
  })

  test('has the same claims in both shapes, whichever way the code was pasted', async () => {
    const [base, extended, pasted] = await Promise.all([
      passOf({ ids: [first.id], more: { shape: 'base' } }),
      passOf({ ids: [first.id], more: { shape: 'extended' } }),
      passOf({ ids: [first.id], code: ` ${codes.active.replace('-', '\u2013')}\u200b` }),
    ])
    expect([extended, pasted]).toEqual([base, base])
  })

  test('lives as long as the workspace says', async () => {
    const life = async () => {
      const [, { iat, exp }] = partsOf((await passOf({ ids: [first.id] }))!)
      return (exp - iat) / 3600
    }
    for (const [pass_hours, hours] of [
      [1, 1],
      [2160, 2160],
      [null, 336],
    ] as const) {
      expect(await ada.ask('updateWorkspace', studio, { pass_hours })).toMatchObject({ pass_hours })
      expect(await life()).toBe(hours)
    }
    for (const pass_hours of [0, 2161, 1.5]) {
      const { status, text } = await ada.call('updateWorkspace', studio, { pass_hours })
      expect([status, JSON.parse(text).error.fields]).toEqual([422, { pass_hours: 'pass_hours' }])
    }
  })

  test.each<[string, number, Asked]>([
    ['an unknown code', 404, { code: 'ZZZZ-0000-0000' }],
    ['a refunded purchase', 404, { code: codes.refunded }],
    ['a revoked purchase', 404, { code: codes.revoked }],
    ['an item that the key is not bound to', 404, { key: boundKey, code: codes.video }],
    ['a key of another workspace', 404, { key: otherKey }],
    ['the signing key of another workspace', 200, { key: otherKey, code: codes.others }],
    ['an unknown key', 401, { key: 'sp_test_key_that_nobody_has' }],
    ['an invalid parameter', 400, { more: { shape: 'other' } }],
  ])('gets none for %s', async (_, status, asked) => {
    const answer = await ask({ ids: [first.id], ...asked })
    expect([answer.status, answer.headers['x-purchase-pass']]).toEqual([status, undefined])
  })

  test('gets one by a publishable key, bound to the item or to none', async () => {
    expect(await signedBy({ key: publishableKey, ids: [first.id] })).toBe(first.id)
    expect(await signedBy({ key: boundKey, ids: [first.id] })).toBe(first.id)
  })

  test('gets none for unknown signing keys', async () => {
    const inOtherCase = first.id.replace(/[A-Z]/gi, (letter) =>
      letter < 'a' ? letter.toLowerCase() : letter.toUpperCase(),
    )
    for (const id of ['x'.repeat(16), 'x', inOtherCase, `${first.id}A`])
      expect(await passOf({ ids: [id] })).toBeUndefined()
  })

  test('gets one however many keys a request names', async () => {
    const others = Array.from({ length: 800 }, (_, index) => String(index).padStart(16, '0'))
    expect(await signedBy({ ids: [first.id, ...others], more: { pass: others.join() } })).toBe(first.id)
  })
})

test('keeps a program going for a week without the service, to the second that the pass ends', async () => {
  const { id, public_key: publicKey } = await rotate()
  const start = now.getTime()
  const day = 24 * 3_600_000
  let [time, isDown] = [start, false]
  // Each check is by a new start of the program.
  const check = async () => {
    const passes = verifyPasses({ workspace: 'ada-studio', publicKeys: [publicKey], now: () => time })
    const client = createPublishableClient({
      baseUrl: service.url,
      apiKey: publishableKey,
      maxRetries: 0,
      passes,
      fetch: (url, init) => (isDown ? Promise.reject(new TypeError('unplugged')) : fetch(url, init)),
    })
    const gate = createGate({ client, store: createFileStore({ directory }), now: () => time })
    const found = await gate.check(codes.active, { itemId: 101 })
    return [found.outcome, found.source, found.outcome === 'unknown' && found.error.code]
      .filter(Boolean)
      .join(' ')
  }
  const directory = join(home.folder, 'program')
  expect(await check()).toBe('valid api')
  isDown = true
  // The pass was signed within this second, for 14 days.
  const end = Math.floor(start / 1_000) * 1_000 + 14 * day
  for (time of [start + 3_600_000, start + day, start + 7 * day, end - 1])
    expect(await check()).toBe('valid grace')
  for (time of [end, end + 1_000, start + 30 * day]) expect(await check()).toMatch(/^unknown/)
  isDown = false
  // The store remembers an outage for a minute.
  time += 60_001
  await cli('retire', id)
  expect(await check()).toBe('unknown api unsigned_response')
  await sql(service, `UPDATE "Purchase" SET "state" = 'refunded' WHERE "code" = '${codes.active}'`)
  expect(await check()).toBe('invalid api')
  await sql(service, `UPDATE "Purchase" SET "state" = 'active' WHERE "code" = '${codes.active}'`)
})

describe('a rotation', () => {
  test('ends nothing: the newest of the keys that a program knows signs, until it is retired', async () => {
    const second = await rotate()
    expect(await signedBy({ ids: [first.id] })).toBe(first.id)
    expect(await signedBy({ ids: [first.id, second.id] })).toBe(second.id)
    expect(await signedBy({ ids: [second.id, first.id] })).toBe(second.id)
    expect(opensslVerifies((await passOf({ ids: [second.id] }))!, second.public_key)).toBe(true)
    await cli('retire', second.id)
    await cli('retire', second.id)
    expect(await signedBy({ ids: [first.id, second.id] })).toBe(first.id)
    expect(await signedBy({ ids: [second.id] })).toBeUndefined()
    const { code, stderr } = await run('retire', 'none')
    expect([code, stderr]).toEqual([1, expect.stringContaining('there is no signing key with that id')])
  })

  test('fails no check under load', async () => {
    let rotating = true
    const rotations = (async () => {
      for (let count = 0; count < 3; count++) await ada.ask('rotateSigningKey', studio, {})
      rotating = false
    })()
    let checks = 0
    const program = async () => {
      while (rotating) {
        expect(await signedBy({ ids: [first.id] })).toBe(first.id)
        checks++
      }
    }
    await Promise.all([rotations, ...Array.from({ length: 4 }, program)])
    expect(checks).toBeGreaterThan(4)
  })

  test('is seen in the console: which keys checks still ask for', async () => {
    const { signing_keys: keys } = await ada.ask('listSigningKeys', studio, {})
    expect(keys).toHaveLength(6)
    const used = keys.find(({ id }) => id === first.id)
    expect(used).toMatchObject({ retired_at: null, passes: expect.any(Number) })
    expect(used!.passes).toBeGreaterThan(10)
    expect(keys.filter(({ passes }) => passes === 0)).toHaveLength(3)
    const { entries } = await ada.ask('listActivity', studio, { kind: 'keys' })
    expect(entries.map(({ action }) => action)).toEqual(
      expect.arrayContaining(['signing_key.created', 'signing_key.retired']),
    )
  })

  test('is refused while ten keys sign: one has to be retired first', async () => {
    const bob = createBrowser(service.url)
    await bob.signIn('bob')
    const works = { slug: 'bob-works' }
    let newest = ''
    for (let count = 1; count < 10; count++) {
      const { signing_keys: keys } = await bob.ask('rotateSigningKey', works, newest ? { newest } : {})
      newest = keys[0]!.id
    }
    const again = await bob.ask('rotateSigningKey', works, { newest: 'one-before' })
    expect(again.signing_keys[0]?.id).toBe(newest)
    const { status, text } = await bob.call('rotateSigningKey', works, {})
    expect([status, JSON.parse(text).error.fields]).toEqual([422, { '': 'signing_keys' }])
    const { code, stderr } = await run('rotate', '--workspace', 'bob-works')
    expect([code, stderr]).toEqual([1, expect.stringContaining('retire one that no program needs')])
    const { signing_keys: keys } = await bob.ask('listSigningKeys', works, {})
    expect(keys).toHaveLength(10)
    await bob.ask('retireSigningKey', { ...works, id: keys[9]!.id }, {})
    expect((await bob.ask('rotateSigningKey', works, {})).signing_keys).toHaveLength(11)
  })

  test('is refused while a hundred keys are published, and drops those that are no longer', async () => {
    const bob = createBrowser(service.url)
    await bob.signIn('bob')
    const works = { slug: 'bob-works' }
    const { prisma } = service.database
    const { vault } = service.opened
    const { id: workspaceId } = await prisma.workspace.findUniqueOrThrow({ where: works })
    const retired = { retiredAt: { not: null }, workspaceId }
    const row = () => ({ ...generateSigningKey(vault), workspaceId, createdAt: now, retiredAt: now })
    await prisma.signingKey.createMany({ data: Array.from({ length: 89 }, row) })
    const newest = (await bob.ask('listSigningKeys', works, {})).signing_keys.find((key) => !key.retired_at)!
    // A key that has leaked is retired all the same.
    await bob.ask('retireSigningKey', { ...works, id: newest.id }, {})
    const { status, text } = await bob.call('rotateSigningKey', works, {})
    expect([status, JSON.parse(text).error.fields]).toEqual([422, { '': 'retired_signing_keys' }])
    const signingKeys = createSigningKeys({
      ...service.database,
      vault,
      clock: () => now,
      record: async () => 0,
    })
    await expect(signingKeys.rotate(works.slug)).rejects.toThrow('retired_signing_keys')
    const retiredAt = new Date(now.getTime() - 90 * 24 * 3_600_000)
    await prisma.signingKey.updateMany({ where: retired, data: { retiredAt } })
    const shown = (await bob.ask('listSigningKeys', works, {})).signing_keys[0]!.id
    expect((await bob.ask('rotateSigningKey', works, { newest: shown })).signing_keys).toHaveLength(10)
    expect(await prisma.signingKey.count({ where: retired })).toBe(0)
  })

  test('retires no key of another workspace', async () => {
    const bob = createBrowser(service.url)
    await bob.signIn('bob')
    const { status } = await bob.call('retireSigningKey', { slug: 'bob-works', id: first.id }, {})
    expect(status).toBe(404)
    expect(await signedBy({ ids: [first.id] })).toBe(first.id)
  })
})

test('the public keys are published, also of keys whose passes may still be believed', async () => {
  const read = async () => {
    const path = '/.well-known/jwks.json'
    const response = await service.request({ path })
    expect(response.status).toBe(200)
    // With its headers for caches and for pages of other origins.
    checkAgainstOpenApi({ method: 'GET', path }, response)
    const { keys } = JSON.parse(response.text) as { keys: { kid: string }[] }
    return new Map(keys.map((key) => [key.kid, key]))
  }
  expect((await read()).get(first.id)).toEqual({
    kty: 'OKP',
    crv: 'Ed25519',
    use: 'sig',
    alg: 'EdDSA',
    kid: first.id,
    x: first.public_key,
  })
  const retire = async (ago: number) => {
    const retiredAt = new Date(now.getTime() - ago)
    await service.database.prisma.signingKey.update({ where: { id: first.id }, data: { retiredAt } })
  }
  const isListed = async () => (await read()).has(first.id)
  const passMinute = () => {
    now = new Date(now.getTime() + 60_001)
  }
  const life = 90 * 24 * 3_600_000
  passMinute()
  await retire(life - 1)
  expect(await isListed()).toBe(true)
  await retire(life)
  expect(await isListed(), 'the list is kept for a minute').toBe(true)
  passMinute()
  await retire(life)
  expect(await isListed()).toBe(false)
  expect(await signedBy({ ids: [first.id] })).toBeUndefined()
})

test('a workspace has its first key from its beginning, and showing it writes nothing', async () => {
  const { prisma } = service.database
  // Some are of an import.
  await ada.ask('createWorkspace', {}, { slug: 'by-the-console', name: 'Console' })
  const created = ['create', '--owner', 'ada', '--slug', 'by-a-command', '--name', 'Command']
  expect(await saleproof(['workspace', ...created], await place())).toMatchObject({ code: 0 })
  const stored = () => prisma.workspace.findMany({ include: { signingKeys: true }, orderBy: { slug: 'asc' } })
  const workspaces = await stored()
  const [command, byConsole] = workspaces.filter(({ slug }) => slug.startsWith('by-'))
  expect([command?.signingKeys.length, byConsole?.signingKeys.length]).toEqual([1, 1])
  for (const { slug, signingKeys } of workspaces) {
    expect(signingKeys.length, slug).toBeGreaterThan(0)
    for (const key of signingKeys.filter(({ publicKey }) => publicKey !== 'A'))
      expect(openSigningKey(key, service.opened.vault)).toBeDefined()
  }
  const entries = await prisma.auditEntry.count()
  await cli('list', '--workspace', 'by-a-command')
  expect((await ada.ask('listSigningKeys', { slug: 'by-the-console' }, {})).signing_keys).toHaveLength(1)
  expect(await stored()).toEqual(workspaces)
  expect(await prisma.auditEntry.count()).toBe(entries)
})

test('a damaged key signs nothing, and is an error of the service', async () => {
  const { id } = await rotate()
  await sql(service, `UPDATE "SigningKey" SET "publicKey" = 'A' WHERE "id" = '${id}'`)
  const answer = await ask({ ids: [id] })
  expect([answer.status, answer.headers['x-error-code']]).toEqual([500, 'internal_error'])
  expect((await ask()).status).toBe(200)
})
