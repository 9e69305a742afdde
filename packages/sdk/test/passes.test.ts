import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { PassVector } from '@saleproof/faults/false-service'
import { cleanPastedCode } from '@saleproof/schema'
import { describe, expect, it } from 'vitest'
import { createGate } from '../src/gate/index.ts'
import { createClient, type Fetch } from '../src/index.ts'
import { verifyPasses } from '../src/passes.ts'
import { createPublishableClient } from '../src/publishable.ts'
import { purchaseBase } from './records.ts'

// Made by another implementation, and the same for every client.
const file = join(import.meta.dirname, '../../../clients/passes.json')
const vectors: readonly PassVector[] = JSON.parse(readFileSync(file, 'utf8')).vectors
const [good] = vectors as [PassVector]

/** The `license` of the claims, if they can be read. */
function readLicense(jws: string): string {
  const [, claims = ''] = jws.split('.')
  return /"license":"(\w+)"/.exec(Buffer.from(claims, 'base64url').toString())?.[1] ?? 'Regular'
}

/** Answers each request with the sale and a pass. Not by `Response`, which would trim the header. */
function serve({ jws, code, item }: PassVector, license = readLicense(jws), more = {}) {
  const forms: URLSearchParams[] = []
  const purchase = {
    ...purchaseBase,
    purchase_code: cleanPastedCode(code),
    license_type: license,
    ...more,
    item: { ...purchaseBase.item, id: item },
  }
  const fetch: Fetch = async (_, { body }) => {
    forms.push(new URLSearchParams(String(body)))
    const get = (name: string) => (name === 'X-Purchase-Pass' ? jws : null)
    const text = async () => JSON.stringify({ status: 'success', data: { purchase } })
    return { status: 200, headers: { get }, text } as unknown as Response
  }
  return { fetch, forms }
}

const optionsOf = ({ workspace, publicKeys, now }: PassVector, fetch: Fetch) => ({
  baseUrl: 'https://market.example.com',
  apiKey: 'spp_a_publishable_key',
  maxRetries: 0,
  fetch,
  passes: verifyPasses({ workspace, publicKeys, now: () => now * 1_000 }),
})

const unsigned = { outcome: 'unknown', error: { kind: 'invalid_response', code: 'unsigned_response' } }

describe('a client with passes', () => {
  it.each(vectors.map((vector) => [vector.name, vector] as const))('%s', async (_, vector) => {
    const options = optionsOf(vector, serve(vector).fetch)
    const expected = vector.expect === 'valid' ? { outcome: 'valid' } : unsigned
    for (const client of [createClient(options), createPublishableClient(options)])
      expect(await client.checkPurchase(vector.code, { itemId: vector.item })).toMatchObject(expected)
  })

  it('has vectors of every kind', () => {
    expect(vectors.filter((vector) => vector.expect === 'valid').length).toBeGreaterThanOrEqual(6)
    expect(vectors.length).toBeGreaterThanOrEqual(40)
  })

  it('names the keys that it trusts', async () => {
    const { fetch, forms } = serve(good)
    await createPublishableClient(optionsOf(good, fetch)).checkPurchase(good.code)
    const [head = ''] = good.jws.split('.')
    const { kid } = JSON.parse(Buffer.from(head, 'base64url').toString())
    expect(forms.map((form) => form.get('pass'))).toEqual([kid])
  })

  it('believes no pass of which one bit was changed, and no other license or support', async () => {
    const client = (vector: PassVector, license?: string, more?: object) =>
      createPublishableClient(optionsOf(good, serve(vector, license, more).fetch))
    for (let at = 0; at < good.jws.length; at += 1) {
      const changed = String.fromCharCode(good.jws.charCodeAt(at) ^ (1 << (at % 7)))
      const jws = good.jws.slice(0, at) + changed + good.jws.slice(at + 1)
      const { outcome } = await client({ ...good, jws }, readLicense(good.jws)).checkPurchase(good.code)
      expect([at, outcome]).toEqual([at, 'unknown'])
    }
    expect(await client(good, 'Another').checkPurchase(good.code)).toMatchObject(unsigned)
    const forged = client(good, 'Regular', { supported_until: '2099-01-01T00:00:00Z' })
    expect(await forged.checkPurchase(good.code)).toMatchObject(unsigned)
  })

  it('throws what a check returns, and lets a gate keep what it proved', async () => {
    const { fetch, forms } = serve(good)
    const client = createClient(optionsOf(good, fetch))
    expect(await client.validatePurchase(good.code)).toMatchObject({ item: { id: good.item } })
    const other = createClient(optionsOf(good, serve({ ...good, jws: '' }).fetch))
    await expect(other.validatePurchase(good.code)).rejects.toMatchObject({ code: 'unsigned_response' })
    expect(await createGate({ client: other }).check(good.code)).toMatchObject(unsigned)
    const gate = createGate({ client, now: () => good.now * 1_000 })
    for (const source of ['api', 'cache'])
      expect(await gate.check(good.code)).toMatchObject({ outcome: 'valid', source })
    expect(forms).toHaveLength(2)
  })

  it('is invalid where the service says so, without a pass', async () => {
    const no = JSON.stringify({ status: 'error', msg: 'Invalid purchase code' })
    const headers = { 'x-error-code': 'purchase_not_active' }
    const fetch: Fetch = async () => new Response(no, { status: 404, headers })
    const client = createPublishableClient(optionsOf(good, fetch))
    expect(await client.checkPurchase(good.code)).toEqual({
      outcome: 'invalid',
      reason: 'purchase_not_active',
    })
  })
})

it.each([
  {},
  { workspace: '' },
  { publicKeys: [] },
  { publicKeys: good.publicKeys[0] },
  { publicKeys: ['too short'] },
  // Another spelling of the same bytes.
  { publicKeys: [good.publicKeys[0]?.replace(/.$/, (last) => String.fromCharCode(last.charCodeAt(0) + 1))] },
  { key: 'x' },
])('refuses the options %o', (wrong) => {
  const { workspace, publicKeys } = good
  const options = Object.keys(wrong).length ? { workspace, publicKeys, ...wrong } : {}
  expect(() => verifyPasses(options as never)).toThrow(expect.objectContaining({ kind: 'configuration' }))
  const client = { baseUrl: 'https://market.example.com', apiKey: 'x', passes: wrong as never }
  expect(() => createClient(client)).toThrow(expect.objectContaining({ kind: 'configuration' }))
  expect(() => createPublishableClient(client)).toThrow(expect.objectContaining({ kind: 'configuration' }))
})
