import { hash, sign } from 'node:crypto'
import { formatTimestamp, headerNames } from '@saleproof/schema'
import { passHours } from '@saleproof/schema/console/constants'
import type { KeyVault } from '../crypto/key-vault.ts'
import { openSigningKey, type StoredSigningKey } from '../crypto/signing-key.ts'
import type { SigningKeyFinder } from '../domain/signing-keys.ts'
import { getOrAdd } from '../get-or-add.ts'
import type { ValidatedPurchase } from '../http/request-event.ts'
import type { RequestContext } from '../http/state.ts'
import { readPass } from './parameters.ts'

/** A signing key with what passes say of its workspace. */
export interface PassKey extends StoredSigningKey {
  slug: string
  passHours: number | null
}

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** Opens signing keys, and keeps them open with the head of their passes: that takes as long as several signatures. */
export function createPassSigners({ vault, now }: { vault: Pick<KeyVault, 'open'>; now: () => number }) {
  const open = (stored: PassKey) => ({
    key: openSigningKey(stored, vault),
    head: encode({ alg: 'EdDSA', typ: 'purchase-pass+jwt', kid: stored.id }),
  })
  const opened = new Map<string, ReturnType<typeof open>>()
  return (stored: PassKey) => {
    const { id, slug, passHours: hours } = stored
    const { key, head } = getOrAdd(opened, id, () => open(stored))
    return {
      keyId: id,
      sign({ code, itemId, licenseType, supportedUntil }: ValidatedPurchase) {
        const iat = Math.floor(now() / 1000)
        const claims = encode({
          aud: slug,
          sub: hash('sha256', `saleproof-pass\0${code}`, 'base64url'),
          item: itemId,
          license: licenseType,
          supported_until:
            supportedUntil === undefined ? undefined : formatTimestamp(new Date(supportedUntil)),
          iat,
          exp: iat + (hours ?? passHours.default) * 3600,
        })
        const text = `${head}.${claims}`
        return `${text}.${sign(null, Buffer.from(text, 'latin1'), key).toString('base64url')}`
      },
    }
  }
}

export type OpenSigner = ReturnType<typeof createPassSigners>
export type PassSigner = ReturnType<OpenSigner>

export interface PassOptions {
  signingKeys: SigningKeyFinder
  openSigner: OpenSigner
  now: () => number
}

/** Gives a success its pass, where the request names a key that signs. */
export async function givePass(ctx: RequestContext, workspaceId: number, options: PassOptions) {
  const { validated } = ctx.state
  const ids = validated ? readPass(ctx) : []
  const stored = ids.length ? await options.signingKeys.newest(workspaceId, ids) : null
  if (!validated || !stored) return
  const { keyId, sign } = options.openSigner(stored)
  ctx.set(headerNames.pass, sign(validated))
  ctx.state.signingKeyId = keyId
}
