import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { describe, expect, onTestFinished, test } from 'vitest'
import { migrations } from '../../../test/support/folders.ts'
import { deployment, first, names, second } from '../../../test/support/secret-deployment.ts'
import { createKeyVault } from '../../crypto/key-vault.ts'
import { openSigningKey } from '../../crypto/signing-key.ts'
import { lockShared } from '../../db/sqlite/lock.ts'
import { rotateSecret } from './rotate-secret.ts'

test('every key works with the new secret, the one before is kept beside and refused', async () => {
  const { folder, databaseFile, works, rotate, secretOf, open } = await deployment()
  const before = secretOf()
  await works()
  const kept = `${databaseFile}.secret.before-rotation-20260301120000123`
  // Those of the records, and the first signing key.
  expect(await rotate()).toEqual({ keys: 4, kept, cleaned: true, already: false })
  expect(secretOf()).toMatch(/^[\w-]{43}$/)
  expect(secretOf()).not.toBe(before)
  expect(secretOf(kept)).toBe(before)
  for (const name of names(folder)) expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600)
  expect(names(folder)).toHaveLength(2)
  await works()
  await expect(open(before)).rejects.toThrow('is not the one that this database was made with')
  // A second rotation keeps its own.
  const middle = secretOf()
  await rotateSecret({ databaseFile, given: undefined, migrations, clock: () => new Date() })
  expect(names(folder).map((name) => secretOf(join(folder, name)))).toEqual(
    expect.arrayContaining([before, middle]),
  )
  await works()
})

test('a signing key goes on signing, and the secret before does not open it', async () => {
  const { open, rotate } = await deployment({ keys: 1 })
  const before = await open(undefined)
  const { publicKey } = await before.database.prisma.signingKey.findFirstOrThrow()
  await before.close()
  await rotate()
  const after = await open(undefined)
  onTestFinished(after.close)
  const row = await after.database.prisma.signingKey.findFirstOrThrow()
  expect(openSigningKey(row, after.vault).export({ format: 'jwk' }).x).toBe(publicKey)
  expect(() => openSigningKey(row, before.vault)).toThrow()
})

test('it is recorded', async () => {
  const { sql, rotate } = await deployment()
  await rotate()
  const last = () =>
    sql((database) => database.prepare('SELECT * FROM AuditEntry ORDER BY number DESC').get())
  expect(last()).toMatchObject({ action: 'secret.rotated', actor: 'cli', subject: 'api_key 4' })
})

test('nothing that was sealed before is left in any file of the database', async () => {
  const { folder, databaseFile, sql, rotate } = await deployment({ keys: 200 })
  const rows = sql((database) =>
    database
      .prepare<[], { keyHash: string; keyCipher: Buffer }>('SELECT keyHash, keyCipher FROM ApiKey')
      .all(),
  )
  const check = sql(
    (database) => database.prepare<[], string>('SELECT secretCheck FROM Deployment').pluck().get()!,
  )
  const left = () => {
    const bytes = Buffer.concat(
      readdirSync(folder)
        .filter((name) => name.startsWith('test.db') && !name.includes('.secret'))
        .map((name) => readFileSync(join(folder, name))),
    )
    const sealed = rows.flatMap(({ keyHash, keyCipher }) => [Buffer.from(keyHash), keyCipher])
    return [...sealed, Buffer.from(check)].filter((each) => bytes.includes(each)).length
  }
  expect(left()).toBe(401)
  await rotate()
  expect(left()).toBe(0)
  expect(existsSync(databaseFile)).toBe(true)
})

describe('with a secret of the operator', () => {
  test('no file is written, and the new one is needed', async () => {
    const { folder, works, rotate, open } = await deployment({ secret: first })
    await expect(rotate({ given: first })).rejects.toThrow('SALEPROOF_SECRET is set')
    await expect(rotate({ given: first, next: first })).rejects.toThrow('is the one that is in use')
    await expect(rotate({ given: second, next: first.repeat(2) })).rejects.toThrow(
      'SALEPROOF_SECRET is not the one',
    )
    expect(await works(first)).toBe(createKeyVault(first).check())
    expect(await rotate({ given: first, next: second })).toEqual({
      keys: 4,
      kept: undefined,
      cleaned: true,
      already: false,
    })
    expect(await works(second)).toBe(createKeyVault(second).check())
    await expect(open(first)).rejects.toThrow(
      'SALEPROOF_SECRET is not the one that this database was made with',
    )
    expect((await rotate({ given: first, next: second })).already).toBe(true)
    expect(names(folder)).toEqual([])
  })
})

test('a key that cannot be opened is named, and nothing is changed; revoked it is left as it is', async () => {
  const { sql, rotate, secretOf, folder } = await deployment()
  const before = secretOf()
  sql((database) => database.exec(`UPDATE ApiKey SET keyCipher = zeroblob(60) WHERE name = 'key 1'`))
  const id = sql((database) => database.prepare(`SELECT id FROM ApiKey WHERE name = 'key 1'`).pluck().get())
  await expect(rotate()).rejects.toThrow(`1 keys cannot be decrypted (${id})`)
  expect(secretOf()).toBe(before)
  sql((database) => database.exec(`UPDATE ApiKey SET revokedAt = createdAt WHERE name = 'key 1'`))
  expect((await rotate()).keys).toBe(3)
  expect(names(folder)).toHaveLength(2)
})

test('nothing is rotated while the database is used', async () => {
  const { databaseFile, rotate, secretOf, works } = await deployment()
  const before = secretOf()
  const held = lockShared(databaseFile)
  await expect(rotate()).rejects.toThrow('is in use')
  held.release()
  const other = new Sqlite(databaseFile)
  other.prepare('SELECT 1 FROM Account').get()
  await expect(rotate()).rejects.toThrow('open in another program')
  other.close()
  expect(secretOf()).toBe(before)
  await works()
})

test('a new secret that was left by a rotation which changed nothing is not taken', async () => {
  const { databaseFile, works, secretOf, rotate, folder } = await deployment()
  const before = secretOf()
  writeFileSync(`${databaseFile}.secret.next`, `${second}\n`)
  await works()
  expect(secretOf()).toBe(before)
  await rotate()
  expect(secretOf()).not.toBe(second)
  expect(names(folder)).toHaveLength(2)
})

test('ten thousand keys are rotated in reasonable time', async () => {
  const { works, rotate } = await deployment({ keys: 10_000 })
  const start = performance.now()
  expect((await rotate()).keys).toBe(10_001)
  const seconds = (performance.now() - start) / 1000
  expect(seconds).toBeLessThan(30)
  await works()
})
