import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { expect, onTestFinished } from 'vitest'
import { generateApiKey } from '../../src/crypto/api-key.ts'
import { rotateSecret } from '../../src/maintenance/secret/rotate-secret.ts'
import { openDatabase } from '../../src/open-database.ts'
import { migrations, temporaryFolder } from './folders.ts'

export const clock = () => new Date('2026-03-01T12:00:00.123Z')
export const first = 'the first secret of the operator, long enough'
export const second = 'the second secret of the operator, long enough'

/** A deployment with keys. */
export async function deployment({ keys = 3, secret }: { keys?: number; secret?: string } = {}) {
  const { folder, remove } = await temporaryFolder()
  onTestFinished(remove)
  const databaseFile = join(folder, 'test.db')
  const open = (given: string | undefined) =>
    openDatabase({
      databaseUrl: 'file:test.db',
      secret: given,
      cwd: folder,
      migrations,
      busyTimeoutMs: 5000,
      clock,
      migrate: 'always',
    })
  const database = await open(secret)
  const made = Array.from({ length: keys }, () => generateApiKey())
  const records = [
    {
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
    },
    { type: 'workspace', slug: 'studio', name: 'S', owner: 'ada' },
    ...made.map((key, index) => ({ type: 'api_key', workspace: 'studio', name: `key ${index}`, key })),
  ]
  async function* source() {
    yield Buffer.from(records.map((record) => JSON.stringify(record)).join('\n'))
  }
  await database.importRecords({ source: source(), now: clock })
  await database.close()
  const sql = <T>(act: (database: Sqlite.Database) => T): T => {
    const database = new Sqlite(databaseFile)
    try {
      return act(database)
    } finally {
      database.close()
    }
  }
  /** Every key is found and opens, under the secret that a start takes. */
  async function works(given?: string) {
    const opened = await open(given)
    try {
      const rows = new Map((await opened.database.prisma.apiKey.findMany()).map((row) => [row.keyHash, row]))
      const found = made.map((key) => rows.get(opened.vault.hash(key)))
      expect(found.map((row) => row && opened.vault.open(row.keyCipher, row.keyHash))).toEqual(made)
      return opened.vault.check()
    } finally {
      await opened.close()
    }
  }
  const rotate = (options: { given?: string; next?: string } = {}) =>
    rotateSecret({ databaseFile, given: options.given, next: options.next, migrations, clock })
  const secretOf = (file = `${databaseFile}.secret`) => readFileSync(file, 'utf8').trim()
  return { folder, databaseFile, open, sql, works, rotate, secretOf }
}

/** The files of secrets in a folder. */
export const names = (folder: string) => readdirSync(folder).filter((name) => name.includes('.secret'))
