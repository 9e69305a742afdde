import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import pg from 'pg'
import { expect, inject, onTestFinished, test, vi } from 'vitest'
import { generateApiKey } from '../../src/crypto/api-key.ts'
import { createKeyVault } from '../../src/crypto/key-vault.ts'
import { openSigningKey } from '../../src/crypto/signing-key.ts'
import { postgresMigrationsFolder } from '../../src/db/location.ts'
import { rotateSecretOn } from '../../src/maintenance/secret/postgres/rotate-secret.ts'
import { type OpenDatabase, openDatabase } from '../../src/open-database.ts'
import { migrations } from '../support/folders.ts'
import { temporaryDatabase } from '../support/postgres-databases.ts'

const clock = () => new Date('2026-03-01T12:00:00.123Z')
const first = 'the first secret of the operator, long enough'
const second = 'the second secret of the operator, long enough'

const account = {
  type: 'account',
  username: 'ada',
  email: 'ada@example.com',
  balance: 0,
  currency: 'USD',
  name: { firstname: 'A', lastname: 'L', full_name: 'A L' },
  registered_at: '2024-01-01T00:00:00Z',
  profile: {
    heading: '',
    description: '',
    contact: { email: '' },
    social_links: {},
    media: { avatar: '', cover: '' },
  },
}

/** A deployment with more keys than are read at once. */
async function deployment({ keys = 1200 } = {}) {
  const { url, remove } = await temporaryDatabase(inject('postgresUrl'))
  const client = new pg.Client(url)
  await client.connect()
  onTestFinished(async () => {
    await client.end()
    await remove()
  })
  const open = (secret: string) =>
    openDatabase({
      databaseUrl: url,
      secret,
      cwd: '/',
      migrations,
      busyTimeoutMs: 5000,
      clock,
      migrate: 'when new',
    })
  async function opened<T>(secret: string, act: (opened: OpenDatabase) => Promise<T>): Promise<T> {
    const opened = await open(secret)
    try {
      return await act(opened)
    } finally {
      await opened.close()
    }
  }
  const made = Array.from({ length: keys }, () => generateApiKey())
  const records = [
    account,
    { type: 'workspace', slug: 'studio', name: 'S', owner: 'ada' },
    ...made.map((key, index) => ({ type: 'api_key', workspace: 'studio', name: `key ${index}`, key })),
  ]
  async function* source() {
    yield Buffer.from(records.map((record) => JSON.stringify(record)).join('\n'))
  }
  await opened(first, ({ importRecords }) => importRecords({ source: source(), now: clock }))
  /** Every key is found and opens. */
  const works = (secret: string) =>
    opened(secret, async ({ database: { prisma }, vault }) => {
      const rows = new Map((await prisma.apiKey.findMany()).map((row) => [row.keyHash, row]))
      const found = made.map((key) => rows.get(vault.hash(key)))
      expect(found.map((row) => row && vault.open(row.keyCipher, row.keyHash))).toEqual(made)
    })
  const rotate = (given: string, next: string) =>
    rotateSecretOn({ databaseUrl: url, given, next, migrations: postgresMigrationsFolder(migrations), clock })
  const ask = async (sql: string) => (await client.query(sql)).rows
  return { url, open, opened, works, rotate, ask }
}

const notTheOne = 'SALEPROOF_SECRET is not the one that this database was made with'

test('every key works with the new secret, and the one before is refused', async () => {
  const { works, rotate, open, opened, ask } = await deployment()
  const signing = await opened(first, ({ database }) => database.prisma.signingKey.findFirstOrThrow())
  await expect(rotate(first, first)).rejects.toThrow('is the one that is in use')
  await expect(rotate('x'.repeat(40), 'y'.repeat(40))).rejects.toThrow(notTheOne)
  const [before] = await ask('SELECT "identity" FROM "Deployment"')
  expect(await rotate(first, second)).toEqual({ keys: 1201, cleaned: true, already: false })
  await works(second)
  const [row] = await opened(second, ({ database }) => database.prisma.signingKey.findMany())
  expect(row?.publicKey).toBe(signing.publicKey)
  expect(openSigningKey(row!, createKeyVault(second))).toBeDefined()
  expect(() => openSigningKey(row!, createKeyVault(first))).toThrow()
  await expect(open(first)).rejects.toThrow(notTheOne)
  expect(await rotate(first, second)).toEqual({ keys: 0, cleaned: true, already: true })
  expect(await ask('SELECT "identity" FROM "Deployment"')).not.toEqual([before])
  const [last] = await ask('SELECT "action", "subject" FROM "AuditEntry" ORDER BY "number" DESC LIMIT 1')
  expect(last).toEqual({ action: 'secret.rotated', subject: 'api_key 1201' })
})

test('a key that cannot be decrypted is named', async () => {
  const { rotate, ask } = await deployment({ keys: 3 })
  await ask(`UPDATE "ApiKey" SET "keyCipher" = '\\x00' WHERE "name" = 'key 1'`)
  const [{ id }] = await ask(`SELECT "id" FROM "ApiKey" WHERE "name" = 'key 1'`)
  await expect(rotate(first, second)).rejects.toThrow(`1 keys cannot be decrypted (${id})`)
  await ask(`UPDATE "ApiKey" SET "revokedAt" = "createdAt" WHERE "name" = 'key 1'`)
  expect((await rotate(first, second)).keys).toBe(3)
})

test('nothing is rotated while an instance is connected; one that connects meanwhile answers nothing', async () => {
  const { open, rotate, works } = await deployment({ keys: 3 })
  const { database, close } = await open(first)
  await database.prisma.apiKey.findMany()
  await expect(rotate(first, second)).rejects.toThrow(/is in use \(\d+ connections of Saleproof\)/)
  await close()
  // It has checked its secret, and has no connection now.
  const idle = await open(first)
  // On a busy machine the server takes its time to notice that connections have ended.
  await vi.waitFor(() => rotate(first, second), { timeout: 30_000 })
  await expect(idle.database.prisma.apiKey.findMany()).rejects.toThrow()
  await idle.close()
  await works(second)
})

test.each([
  ['reencrypted', first, second],
  ['committed', second, first],
])('killed after it was %s exactly one of the two secrets fits', async (step, good, bad) => {
  const { url, open, works, rotate, ask } = await deployment({ keys: 20 })
  const program = join(import.meta.dirname, 'killed-rotation.ts')
  const args = ['--conditions=@saleproof/source', program, url, step, first, second]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'] })
  expect((await once(child, 'close'))[1]).toBe('SIGKILL')
  await works(good)
  await expect(open(bad)).rejects.toThrow(notTheOne)
  const file = `SELECT pg_relation_filenode('"ApiKey"') AS file`
  const before = await ask(file)
  expect((await rotate(first, second)).already).toBe(good === second)
  await works(second)
  // The rows of before, which the one that was killed had left in the files of the server, are in none any more.
  expect(await ask(file)).not.toEqual(before)
})
