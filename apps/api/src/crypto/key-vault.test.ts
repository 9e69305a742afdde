import { createHmac } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, onTestFinished, test } from 'vitest'
import { migrations, temporaryFolder } from '../../test/support/folders.ts'
import { openDatabase } from '../open-database.ts'
import { generateApiKey } from './api-key.ts'
import { createHmacSha256, createKeyVault } from './key-vault.ts'

const vault = createKeyVault('s'.repeat(32))
const another = createKeyVault('t'.repeat(32))
const anyKey = fc.stringMatching(/^[\x21-\x7e]{16,255}$/)

describe('a key', () => {
  test('comes out as it was put in', () => {
    fc.assert(
      fc.property(anyKey, (key) => {
        expect(vault.open(vault.seal(key), vault.hash(key))).toBe(key)
      }),
    )
  })

  test('is found by the same hash each time, and is sealed differently each time', () => {
    const key = generateApiKey()
    expect(vault.hash(key)).toMatch(/^[\w-]{43}$/)
    expect(createKeyVault('s'.repeat(32)).hash(key)).toBe(vault.hash(key))
    expect(vault.seal(key)).not.toEqual(vault.seal(key))
    expect(vault.seal(key)).toHaveLength(12 + key.length + 16)
  })

  test('has another hash under another secret, and does not open under it', () => {
    const key = generateApiKey()
    expect(another.hash(key)).not.toBe(vault.hash(key))
    expect(another.check()).not.toBe(vault.check())
    expect(() => another.open(vault.seal(key), vault.hash(key))).toThrow()
  })

  test('does not open in the row of another key', () => {
    const [key, other] = [generateApiKey(), generateApiKey()]
    expect(() => vault.open(vault.seal(key), vault.hash(other))).toThrow()
  })

  test('does not open with one bit changed or a byte missing', () => {
    const key = generateApiKey()
    const sealed = vault.seal(key)
    fc.assert(
      fc.property(fc.nat(sealed.length * 8 - 1), (bit) => {
        const changed = Uint8Array.from(sealed)
        changed[bit >> 3]! ^= 1 << (bit & 7)
        expect(() => vault.open(changed, vault.hash(key))).toThrow()
      }),
    )
    for (let length = 0; length < sealed.length; length++) {
      expect(() => vault.open(sealed.subarray(0, length), vault.hash(key))).toThrow()
    }
  })
})

test('a copy of the database, write-ahead log included, holds neither key nor secret', async () => {
  const { folder, remove } = await temporaryFolder()
  onTestFinished(remove)
  const clock = () => new Date('2026-11-21T12:00:00.000Z')
  const opened = await openDatabase({
    databaseUrl: 'file:./test.db',
    secret: undefined,
    cwd: folder,
    migrations,
    busyTimeoutMs: 50,
    clock,
    migrate: 'always',
  })
  onTestFinished(opened.close)
  const { prisma } = opened.database
  const own = opened.vault
  await prisma.account.create({ data: accountRow })
  await prisma.workspace.create({
    data: { id: 1, accountId: 'a', slug: 'w', name: 'w', createdAt: clock() },
  })
  const key = generateApiKey()
  await prisma.apiKey.create({
    data: {
      id: 'k',
      workspaceId: 1,
      name: 'k',
      keyHash: own.hash(key),
      keyCipher: own.seal(key),
      publishable: false,
      createdAt: clock(),
    },
  })
  const copy = () =>
    readdirSync(folder)
      .filter((name) => !name.endsWith('.secret'))
      .map((name) => readFileSync(join(folder, name), 'latin1'))
      .join('')
  const secret = readFileSync(join(folder, 'test.db.secret'), 'latin1').trim()
  for (const checkpoint of [false, true]) {
    if (checkpoint) await prisma.$queryRawUnsafe('PRAGMA wal_checkpoint(TRUNCATE)')
    const bytes = copy()
    // What was looked for can be found: the row is in there.
    expect(bytes).toContain(own.hash(key))
    for (let start = 3; start + 8 <= key.length; start++) {
      expect(bytes.includes(key.slice(start, start + 8))).toBe(false)
    }
    expect(bytes.includes(secret.slice(0, 16))).toBe(false)
  }
})

const accountRow = {
  id: 'a',
  username: 'ada',
  email: '',
  firstname: '',
  lastname: '',
  fullName: '',
  balance: 0n,
  currency: 'USD',
  heading: '',
  description: '',
  contactEmail: '',
  socialLinks: {},
  avatar: '',
  cover: '',
  registeredAt: new Date('2023-01-31T08:00:00.000Z'),
}

describe('createHmacSha256', () => {
  test('is the HMAC that Node makes, for any key and text', () => {
    const keys = fc.uint8Array({ minLength: 32, maxLength: 32 })
    fc.assert(
      fc.property(keys, fc.string({ unit: 'binary', maxLength: 400 }), (key, text) => {
        const expected = createHmac('sha256', key).update(text).digest('base64url')
        expect(createHmacSha256(Buffer.from(key))(text)).toBe(expected)
      }),
    )
  })
})
