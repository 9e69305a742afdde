import { generateKeyPairSync, hash, type KeyPairKeyObjectResult, sign } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { listen } from './server.ts'

/** What a client is given to ask the false service. */
export interface FalseServicePlan {
  readonly workspace: string
  readonly publicKeys: readonly string[]
  readonly itemId: number
  /** How often it is asked. */
  readonly count: number
  /** How it forges; a code says with the text before its first dash. */
  readonly forgeries: readonly string[]
  readonly vectors: readonly PassVector[]
}

/** A case of clients/passes.json. */
export interface PassVector {
  readonly name: string
  readonly jws: string
  readonly code: string
  readonly item: number
  readonly workspace: string
  readonly publicKeys: readonly string[]
  readonly now: number
  readonly expect: string
}

const workspace = 'ada-studio'
const itemId = 101
const day = 86_400

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
const publicKeyOf = ({ publicKey }: KeyPairKeyObjectResult) => String(publicKey.export({ format: 'jwk' }).x)
const kidOf = (publicKey: string) =>
  hash('sha256', Buffer.from(publicKey, 'base64url'), 'base64url').slice(0, 16)

/** Signs passes, of now for 14 days, with one key under the id of it or of another one. */
function createSigner(pair: KeyPairKeyObjectResult, named = pair) {
  const kid = kidOf(publicKeyOf(named))
  return (code: string, claims: object = {}, head: object = {}) => {
    const now = Math.floor(Date.now() / 1_000)
    const sub = hash('sha256', `saleproof-pass\0${code}`, 'base64url')
    const said = { aud: workspace, sub, item: itemId, license: 'Regular', iat: now, exp: now + 14 * day }
    const signed = `${encode({ alg: 'EdDSA', typ: 'purchase-pass+jwt', kid, ...head })}.${encode({ ...said, ...claims })}`
    return `${signed}.${sign(null, Buffer.from(signed), pair.privateKey).toString('base64url')}`
  }
}

const lastMonth = () => {
  const iat = Math.floor(Date.now() / 1_000) - 30 * day
  return { iat, exp: iat + 14 * day }
}

/**
 * Starts a server that plays the service, and says that every code is valid. Codes that begin with `honest` get the pass of the real
 * service, others what an attacker can make of all its passes, without its key.
 */
export async function startFalseService(count = 120) {
  const [seller, attacker] = [generateKeyPairSync('ed25519'), generateKeyPairSync('ed25519')]
  const pass = createSigner(seller)
  const [own, posed] = [createSigner(attacker), createSigner(attacker, seller)]
  const forgeries: Readonly<Record<string, (code: string) => string | undefined>> = {
    plain: () => undefined,
    replayed: () => pass('honest-1'),
    item: (code) => pass(code, { item: 102 }),
    shop: (code) => pass(code, { aud: 'another-shop' }),
    old: (code) => pass(code, lastMonth()),
    early: (code) => pass(code, { iat: Math.floor(Date.now() / 1_000) + 2 * day }),
    cut: (code) => pass(code).slice(0, -1),
    bare: (code) => pass(code).replace(/[^.]+$/, ''),
    newer: own,
    posed,
    unsigned: (code) => pass(code, {}, { alg: 'none' }).replace(/[^.]+$/, ''),
    embedded: (code) => own(code, {}, { jwk: { kty: 'OKP', crv: 'Ed25519', x: publicKeyOf(attacker) } }),
  }
  const vectors: readonly PassVector[] = JSON.parse(
    readFileSync(new URL('../../passes.json', import.meta.url), 'utf8'),
  ).vectors
  const publicKeys = [publicKeyOf(seller)]
  const plan: FalseServicePlan = {
    workspace,
    publicKeys,
    itemId,
    count,
    forgeries: Object.keys(forgeries),
    vectors,
  }
  const asked = { validations: 0, keys: 0 }

  const server = createServer(async (request, response) => {
    response.setHeader('Access-Control-Allow-Origin', '*')
    response.setHeader(
      'Access-Control-Allow-Headers',
      'Authorization, X-Api-Key, Content-Type, X-Request-Id, Prefer',
    )
    response.setHeader('Access-Control-Expose-Headers', 'X-Purchase-Pass')
    response.setHeader('Content-Type', 'application/json')
    if (request.method === 'OPTIONS') return void response.writeHead(204).end()
    if (request.url === '/plan') return void response.end(JSON.stringify(plan))
    if (request.url === '/.well-known/jwks.json') {
      asked.keys += 1
      const jwk = { kty: 'OKP', crv: 'Ed25519', alg: 'EdDSA', x: publicKeyOf(attacker) }
      return void response.end(JSON.stringify({ keys: [{ ...jwk, kid: kidOf(publicKeyOf(attacker)) }] }))
    }
    asked.validations += 1
    const code = new URLSearchParams(await text(request)).get('purchase_code') ?? ''
    const [kind = ''] = code.split('-')
    const given = kind === 'honest' ? pass(code) : forgeries[kind]?.(code)
    if (given !== undefined) response.setHeader('X-Purchase-Pass', given)
    const purchase = {
      purchase_code: code,
      license_type: 'Regular',
      price: 19.99,
      currency: 'USD',
      item: { id: itemId, name: 'Icon pack', url: '', media: { preview_image: '' } },
      downloaded: false,
      date: '2024-04-27T12:00:00Z',
    }
    response.end(JSON.stringify({ status: 'success', data: { purchase } }))
  })
  const port = await listen(server)
  return {
    url: `http://127.0.0.1:${port}`,
    plan,
    /** How many validations it answered, and how often it was asked for its keys. */
    asked,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}
