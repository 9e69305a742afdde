import { createCipheriv, createDecipheriv, createHmac, hash, hkdfSync, randomBytes } from 'node:crypto'

const [nonceLength, tagLength] = [12, 16]

const derive = (secret: string, purpose: string) =>
  Buffer.from(hkdfSync('sha256', secret, 'saleproof', purpose, 32))

/**
 * HMAC-SHA-256 of short texts under one key, as RFC 2104 defines it over the hash: an `Hmac` object for each text costs ten times the two
 * hashes that it makes.
 */
export function createHmacSha256(key: Buffer): (text: string) => string {
  const padded = Buffer.alloc(64)
  key.copy(padded)
  const pad = (byte: number) => padded.map((value) => value ^ byte)
  const inner = Buffer.alloc(64 + 1024)
  const outer = Buffer.alloc(64 + 32)
  inner.set(pad(0x36))
  outer.set(pad(0x5c))
  return (text) => {
    if (text.length > 300) return createHmac('sha256', key).update(text).digest('base64url')
    const length = 64 + inner.write(text, 64)
    hash('sha256', inner.subarray(0, length), 'buffer').copy(outer, 64)
    return hash('sha256', outer, 'base64url')
  }
}

/** Finds keys without keeping them, and shows them to their owner again. */
export function createKeyVault(secret: string) {
  const purposes = ['lookup', 'encryption', 'check', 'slots', 'request-id']
  const [resolver, encryption, checking, slots, requestIds] = purposes.map((purpose) =>
    derive(secret, purpose),
  )
  const hashKey = createHmacSha256(resolver!)
  const hashId = createHmacSha256(requestIds!)
  return {
    /** What a key is found by: HMAC-SHA-256, base64url. */
    hash: hashKey,
    /** A key as it is kept: AES-256-GCM; nonce, ciphertext, tag. */
    seal(key: string) {
      const nonce = randomBytes(nonceLength)
      const cipher = createCipheriv('aes-256-gcm', encryption!, nonce).setAAD(Buffer.from(hashKey(key)))
      return new Uint8Array(
        Buffer.concat([nonce, cipher.update(key, 'utf8'), cipher.final(), cipher.getAuthTag()]),
      )
    },
    /** The key again. Throws where the bytes are not what `seal` made under this secret for the key of this hash. */
    open(sealed: Uint8Array, keyHash: string) {
      const bytes = Buffer.from(sealed)
      const decipher = createDecipheriv('aes-256-gcm', encryption!, bytes.subarray(0, nonceLength), {
        authTagLength: tagLength,
      })
      decipher.setAAD(Buffer.from(keyHash)).setAuthTag(bytes.subarray(-tagLength))
      return Buffer.concat([
        decipher.update(bytes.subarray(nonceLength, -tagLength)),
        decipher.final(),
      ]).toString()
    },
    /** Says under which secret a database was made without saying anything about it. */
    check: () => createHmac('sha256', checking!).update('saleproof').digest('base64url'),
    /** Which of 256 slots a text is in. The slot reveals nothing else of the text, and without the secret not even that. */
    slot: (text: string) => createHmac('sha256', slots!).update(text).digest().readUInt8(),
    /** What logs have in place of a client's own request id, which may be a key or a code. */
    hashRequestId: (id: string) => hashId(id).slice(0, 16),
  }
}

export type KeyVault = ReturnType<typeof createKeyVault>

/** What it takes to store a key. */
export type KeySealer = Pick<KeyVault, 'hash' | 'seal'>
