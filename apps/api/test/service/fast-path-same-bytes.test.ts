import { operations } from '@saleproof/schema'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '../support/broken-service.ts'
import type { Sent } from '../support/client.ts'
import { createWire, headerOf, type Wire, type WireAnswer } from '../support/client.ts'
import { type Shop, shopArbitrary } from '../support/fast-path-records.ts'
import { startService, type TestService, temporaryFolder } from '../support/harness.ts'
import { signingKeysIn } from '../support/passes.ts'

const env = {
  PUBLIC_URL: 'https://shop.example',
  SALEPROOF_RATE_LIMIT: '999999999/999999',
  SALEPROOF_FAILURE_LIMIT: '999999999/999999',
}

/** Three services on one database: by Prisma alone, as it is, and one in which only the fast path can answer. */
let home: Awaited<ReturnType<typeof temporaryFolder>>
let services: TestService[]
let wires: { prisma: Wire; hot: Wire; hotAlone: Wire }
beforeAll(async () => {
  home = await temporaryFolder()
  // A pass says when it was signed.
  const clock = () => new Date('2026-11-25T12:00:00Z')
  const start = (fastPath: string, prisma = true) =>
    startService({ folder: home.folder, env: { ...env, SALEPROOF_FAST_PATH: fastPath }, prisma, clock })
  const [prisma, hot, hotAlone] = [await start('off'), await start('on'), await start('on', false)]
  services = [prisma, hot, hotAlone]
  wires = { prisma: createWire(prisma.url), hot: createWire(hot.url), hotAlone: createWire(hotAlone.url) }
})
afterAll(async () => {
  for (const wire of Object.values(wires)) wire.close()
  for (const service of services) await service.close()
  await home.remove()
})

const tables = ['SigningKey', 'Purchase', 'ApiKeyItem', 'ApiKey', 'Item', 'Workspace', 'Account']
const clear = () => sql(services[0]!, tables.map((table) => `DELETE FROM "${table}"`).join('; '))

/** Makes three signing keys, of which the second is retired; gives what requests ask for. */
async function makeSigningKeys() {
  const keys = signingKeysIn(services[0]!)
  const ids: string[] = []
  for (const _ of [1, 2, 3]) ids.push((await keys.rotate('studio')).id)
  await keys.retire(ids[1]!)
  return [undefined, `pass=${ids[0]}`, `pass=${ids}`, `wait=1, pass=${ids[1]}`, `pass=${ids[0]}, x`]
}

interface Asked {
  sent: Sent
  /** Whether the fast path has to answer by itself. */
  plain: boolean
}

const shapes = ['', 'base', 'extended']
const languages = [
  undefined,
  'en',
  'pt',
  'pt-BR',
  'PT-br;q=0.9, en;q=0.5',
  'fr, pt;q=0.1',
  'de',
  '*',
  'en-GB, pt',
  '',
  'pt;q=0',
  'en;q=0, pt;q=0.001',
  ';;;',
  'ptx',
]
const encodings = [undefined, 'gzip', 'br, zstd', 'gzip;q=0.5, identity', 'identity;q=0', '*', 'zstd;q=0']

const headersWith = (key: string, index: number): Record<string, string> => {
  const headers: Record<string, string> =
    index % 2 ? { 'x-api-key': key } : { authorization: `Bearer ${key}` }
  const [language, encoding] = [languages[index % languages.length], encodings[index % encodings.length]]
  if (language !== undefined) headers['accept-language'] = language
  if (encoding !== undefined) headers['accept-encoding'] = encoding
  if (index % 5 === 0) headers['x-request-id'] = `id-${index}`
  return headers
}

const query = (fields: Record<string, string | number>) => {
  const text = new URLSearchParams(
    Object.entries(fields).flatMap(([name, value]) =>
      value === '' ? [] : [[name, String(value)] as [string, string]],
    ),
  ).toString()
  return text && `?${text}`
}

/** Publishable keys and empty lists are explained by the routes. */
const readPaths = ({ itemIds }: Shop) =>
  shapes.flatMap((shape) => [
    { path: operations.getAccount.path + query({ shape }), plain: true, list: false },
    { path: operations.listItems.path + query({ shape }), plain: true, list: true },
    ...itemIds.map((item_id) => ({
      path: operations.getItem.path + query({ item_id, shape }),
      plain: item_id < 1e15,
      list: false,
    })),
  ])

function reads(shop: Shop, offset: number): Asked[] {
  let index = offset
  return Object.entries(shop.keys).flatMap(([kind, key]) => {
    const allowed = kind !== 'publishable' && kind !== 'bound'
    return readPaths(shop).map(({ path, plain, list }) => ({
      sent: { path, headers: headersWith(key, index++) },
      plain: plain && allowed && !(kind === 'empty' && list),
    }))
  })
}

const bodies = [
  {
    type: 'application/json',
    write: (fields: Record<string, string>) => JSON.stringify(fields),
    plain: /^[!#-[\]-~]+$/,
  },
  {
    type: 'application/x-www-form-urlencoded',
    write: (fields: Record<string, string>) => new URLSearchParams(fields).toString(),
    plain: /^[\w.-]+$/,
  },
]

function validations(shop: Shop, preferences: readonly (string | undefined)[], offset: number): Asked[] {
  let index = offset
  return Object.values(shop.keys).flatMap((key) =>
    shop.codes.flatMap((purchase_code) =>
      bodies.map(({ type, write, plain }) => {
        const shape = shapes[index % shapes.length]!
        const body = write({ purchase_code, ...(shape && { shape }) })
        const prefer = preferences[index % preferences.length]
        const headers = {
          ...headersWith(key, index++),
          'content-type': type,
          ...(prefer !== undefined && { prefer }),
        }
        return {
          sent: {
            method: 'POST',
            path: operations.validatePurchase.path,
            headers: { ...headers, 'content-length': `${Buffer.byteLength(body)}` },
            body,
          },
          plain: plain.test(purchase_code),
        }
      }),
    ),
  )
}

let answeredAlone = 0
let passes = 0

async function ask({ sent, plain }: Asked): Promise<WireAnswer> {
  const [slow, hot] = await Promise.all([wires.prisma.ask(sent), wires.hot.ask(sent)])
  expect(hot, sent.path).toEqual(slow)
  expect(slow.status, slow.bytes).toBeLessThan(500)
  // The routes compress what is larger than usual, but for lists.
  const compressed = headerOf(slow, 'content-encoding') !== undefined
  if (!plain || (compressed && !sent.path.startsWith(operations.listItems.path))) return slow
  expect(await wires.hotAlone.ask(sent), `the fast path alone: ${sent.path}`).toEqual(slow)
  answeredAlone++
  return slow
}

async function askAndAskAgain(asked: Asked) {
  const answer = await ask(asked)
  const etag = headerOf(answer, 'etag')
  if (etag === undefined) return
  const { sent } = asked
  const unchanged = await ask({
    ...asked,
    sent: { ...sent, headers: { ...sent.headers, 'if-none-match': etag } },
  })
  expect([unchanged.status, unchanged.bytes]).toEqual([304, ''])
}

test('any records are answered with the same bytes, headers and tags by the fast path as without it', async () => {
  const property = fc.asyncProperty(shopArbitrary, fc.nat(1000), async (shop, offset) => {
    await clear()
    await services[0]!.load(shop.records)
    const preferences = await makeSigningKeys()
    for (const asked of reads(shop, offset)) await askAndAskAgain(asked)
    // Twice: the second time from what was kept.
    for (const _ of [1, 2, 3])
      for (const asked of validations(shop, preferences, offset))
        if (headerOf(await ask(asked), 'x-purchase-pass') !== undefined) passes++
  })
  answeredAlone = 0
  passes = 0
  // `pnpm fuzz` compares both paths for as long as wanted.
  const numRuns = 2
  await fc.assert(property, { numRuns, endOnFailure: true })
  expect(answeredAlone).toBeGreaterThan(50 * numRuns)
  expect(passes).toBeGreaterThanOrEqual(numRuns)
}, 300_000)

test('a service without Prisma answers nothing that the fast path leaves to the routes', async () => {
  const answer = await wires.hotAlone.ask({ path: `${operations.getAccount.path}?api_key=%61` })
  expect(answer.status).toBe(500)
})
