import { createPublicKey, hash, sign, verify } from 'node:crypto'
import { expect, test } from 'vitest'
import { createKeyVault } from './key-vault.ts'
import { generateSigningKey, openSigningKey } from './signing-key.ts'

const vault = createKeyVault('s'.repeat(32))

test('a key signs what its public key verifies; its id is the start of the hash of that', () => {
  for (let count = 0; count < 50; count++) {
    const stored = generateSigningKey(vault)
    const { id, publicKey } = stored
    expect(publicKey).toMatch(/^[\w-]{43}$/)
    expect(id).toBe(hash('sha256', Buffer.from(publicKey, 'base64url'), 'base64url').slice(0, 16))
    expect(id).toMatch(/^[A-Za-z0-9]/)
    const text = Buffer.from('a pass')
    const key = createPublicKey({ format: 'jwk', key: { kty: 'OKP', crv: 'Ed25519', x: publicKey } })
    expect(verify(null, text, key, sign(null, text, openSigningKey(stored, vault)))).toBe(true)
  }
})

test('a key does not open under another secret, nor in the row of another key', () => {
  const [stored, other] = [generateSigningKey(vault), generateSigningKey(vault)]
  expect(() => openSigningKey(stored, createKeyVault('t'.repeat(32)))).toThrow()
  expect(() => openSigningKey({ ...stored, keyCipher: other.keyCipher }, vault)).toThrow()
  expect(() => openSigningKey({ ...other, id: stored.id, publicKey: stored.publicKey }, vault)).toThrow()
  expect(() => openSigningKey({ ...stored, id: other.id }, vault)).toThrow()
})
