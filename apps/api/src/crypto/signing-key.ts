import { createPrivateKey, generateKeyPairSync, hash, type KeyObject } from 'node:crypto'
import type { SigningKeyModel } from '../generated/sqlite/models.ts'
import type { KeySealer, KeyVault } from './key-vault.ts'

/** The `kid` of a public key. */
const signingKeyId = (publicKey: string) =>
  hash('sha256', Buffer.from(publicKey, 'base64url'), 'base64url').slice(0, 16)

/** A signing key as it is stored. */
export type StoredSigningKey = Pick<SigningKeyModel, 'id' | 'publicKey' | 'keyHash' | 'keyCipher'>

/** A new Ed25519 key. Its id starts with no dash or underscore: a command line would take it for a flag. */
export function generateSigningKey(vault: KeySealer): StoredSigningKey {
  for (;;) {
    const { x: publicKey = '', d: seed = '' } = generateKeyPairSync('ed25519').privateKey.export({
      format: 'jwk',
    })
    const id = signingKeyId(publicKey)
    if (/^[A-Za-z0-9]/.test(id))
      return { id, publicKey, keyHash: vault.hash(seed), keyCipher: vault.seal(seed) }
  }
}

/** The private key. Throws where the secret is another one, or where the row is not as it was stored. */
export function openSigningKey(
  { id, publicKey, keyHash, keyCipher }: StoredSigningKey,
  vault: Pick<KeyVault, 'open'>,
): KeyObject {
  const seed = vault.open(keyCipher, keyHash)
  const key = createPrivateKey({ format: 'jwk', key: { kty: 'OKP', crv: 'Ed25519', x: publicKey, d: seed } })
  if (key.export({ format: 'jwk' }).x !== publicKey || signingKeyId(publicKey) !== id)
    throw new Error('a signing key with another id or public key than its own')
  return key
}
