import type { Purchase, PurchaseExtended } from '@saleproof/schema'
import { parse } from './body.ts'
import type { Call } from './calls.ts'
import { SaleproofError } from './errors.ts'
import type { GateEntry, GatePasses } from './gate/gate-store.ts'
import { check, isFunction, isText, matches, type Rules, readOptions } from './options.ts'
import type { Passes } from './types.ts'

export type { Passes } from './types.ts'

/** The options of {@link verifyPasses}: the console shows both values. */
export interface PassOptions {
  /** The slug of the workspace. */
  readonly workspace: string
  /** Its public keys that the program trusts. */
  readonly publicKeys: readonly string[]
  /** The clock, in milliseconds since 1970. */
  readonly now?: (() => number) | undefined
}

// The last character stands for four bits.
const isPublicKey = matches(/^[\w-]{42}[AEIMQUYcgkosw048]$/)

const rules: Rules<PassOptions> = {
  workspace: isText,
  publicKeys: (value) => Array.isArray(value) && value.length > 0 && value.every(isPublicKey),
  now: isFunction,
}

/** What is used of the claims, once they are signed. */
interface PassClaims extends Record<string, unknown> {
  readonly iat: number
  readonly exp: number
}

type Key = Awaited<ReturnType<typeof crypto.subtle.importKey>>

// Clocks of buyers are wrong.
const maxAheadSeconds = 86_400
// Longer than any pass: each says itself when it ends.
const longestMs = 8_000_000_000

const encode = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '')

/** The bytes of base64url. Throws for every other spelling of them. */
function decode(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
  const bytes = Uint8Array.from(binary, (char) => char.charCodeAt(0))
  if (encode(bytes) !== text) throw new TypeError()
  return bytes
}

/** The fields of a part. None where it is no JSON, or has a field twice. */
const readPart = (part: string) =>
  parse(new TextDecoder('utf-8', { fatal: true }).decode(decode(part)), true) ?? {}

const digest = async (bytes: Uint8Array<ArrayBuffer>) =>
  encode(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)))

async function importKeys(publicKeys: readonly string[]): Promise<ReadonlyMap<unknown, Key>> {
  const keys = new Map<unknown, Key>()
  for (const publicKey of publicKeys) {
    const bytes = decode(publicKey)
    const id = (await digest(bytes)).slice(0, 16)
    keys.set(id, await crypto.subtle.importKey('raw', bytes, 'Ed25519', false, ['verify']))
  }
  return keys
}

/**
 * Makes a client believe passes alone: a code is valid where the response carries a pass of the workspace that verifies, and `unknown`
 * with the code `unsigned_response` where it carries none or another one. In an outage a gate keeps a code valid until its pass ends.
 *
 * Throws a configuration error for a wrong option, and without `crypto.subtle`. Without Ed25519 each check throws one.
 *
 * @example
 * const passes = verifyPasses({ workspace: 'ada-studio', publicKeys: ['11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo'] })
 * const client = createPublishableClient({ baseUrl: 'https://market.example.com', apiKey: 'spp_your_publishable_key', passes })
 */
export function verifyPasses(options: PassOptions): Passes {
  const { workspace, publicKeys, now = Date.now } = readOptions(options, rules)
  check('workspace', workspace, rules.workspace)
  check('publicKeys', publicKeys, rules.publicKeys)
  check('crypto.subtle', globalThis.crypto?.subtle, Boolean)
  // The keys and not their promise: on Workers a promise ends with the request that made it.
  let keys: ReadonlyMap<unknown, Key> | undefined
  const proofs = new WeakMap<Purchase, Partial<GateEntry>>()

  async function readKeys(): Promise<ReadonlyMap<unknown, Key>> {
    keys ??= await importKeys(publicKeys)
    return keys
  }

  const endOf: GatePasses['endOf'] = async (pass, code, purchase) => {
    const [head = '', claims = '', signature = '', ...others] = String(pass).split('.')
    const signed = new TextEncoder()
    try {
      const { alg, typ, kid, crit } = readPart(head)
      const { aud, sub, item, license, supported_until: supported, iat, exp } = readPart(claims) as PassClaims
      const key = (await readKeys()).get(kid)
      const seconds = now() / 1_000
      const isProven =
        !!key &&
        !others.length &&
        crit === undefined &&
        alg === 'EdDSA' &&
        typ === 'purchase-pass+jwt' &&
        aud === workspace &&
        item === purchase.item.id &&
        license === purchase.license_type &&
        // The base shape leaves it out.
        ((purchase as PurchaseExtended).supported_until ?? supported) === supported &&
        Number.isFinite(iat + exp) &&
        iat <= seconds + maxAheadSeconds &&
        exp > seconds &&
        sub === (await digest(signed.encode(`saleproof-pass\0${code}`))) &&
        (await crypto.subtle.verify('Ed25519', key, decode(signature), signed.encode(`${head}.${claims}`)))
      if (isProven) return exp * 1_000
    } catch {}
    return Number.NaN
  }

  const apply = (call: Call): Call => {
    if (call.name !== 'validatePurchase') return call
    return {
      ...call,
      async parameters(code) {
        const parameters = { ...(await call.parameters?.(code)) }
        try {
          return { ...parameters, pass: [...(await readKeys()).keys()].join() }
        } catch {
          throw new SaleproofError('configuration', {}, 'This runtime has no Ed25519.')
        }
      },
      async read(body, shape, parameters, headers) {
        const value = await call.read(body, shape, parameters, headers)
        if (!value) return value
        // None becomes a text that does not verify. The value is what the call let through.
        const pass = headers.get('X-Purchase-Pass') as string
        const until = await endOf(pass, parameters.purchase_code ?? '', value as Purchase)
        if (!until) throw new SaleproofError('invalid_response', { code: 'unsigned_response', status: 200 })
        proofs.set(value as Purchase, { pass, until })
        return value
      },
    }
  }

  return Object.assign<Passes, GatePasses>(apply, {
    endOf,
    proofOf: (response) => proofs.get(Object(response).purchase),
    readGrace(onUnknown) {
      check('onUnknown', onUnknown === undefined, Boolean)
      return longestMs
    },
  })
}
