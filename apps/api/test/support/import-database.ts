import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import Database from 'better-sqlite3'
import { createKeyVault } from '../../src/crypto/key-vault.ts'
import { createSqliteMigrator } from '../../src/db/sqlite/migrate.ts'
import { createWriter } from '../../src/db/sqlite/writer.ts'
import { exportRecords } from '../../src/import-export/export.ts'
import { type ImportOptions, importRecords } from '../../src/import-export/import.ts'

export const secret = 'the secret of a database for tests, long enough'
const folder = fileURLToPath(new URL('../../prisma/migrations', import.meta.url))
const clock = () => new Date('2026-01-01T00:00:00Z')

/** The bytes of a file, in chunks of a size. */
export async function* chunked(text: string | Uint8Array, size = 65_536): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text as string)
  for (let from = 0; from < bytes.length; from += size) yield bytes.subarray(from, from + size)
}

export const ndjson = (records: readonly unknown[]) =>
  records.map((record) => `${JSON.stringify(record)}\n`).join('')

/** A migrated database in a folder of its own, and the import and export on it. */
export async function createTestDatabase() {
  const directory = mkdtempSync(join(tmpdir(), 'saleproof-import-'))
  const file = join(directory, 'test.db')
  const vault = createKeyVault(secret)
  await createSqliteMigrator({ databaseFile: file, migrations: folder, clock }).apply()
  const withDatabase = <T>(act: (db: Database.Database) => T): T => {
    const db = new Database(file)
    try {
      return act(db)
    } finally {
      db.close()
    }
  }
  const load = (text: string | Uint8Array, options: Partial<ImportOptions> = {}) =>
    importRecords({ source: chunked(text), databaseFile: file, vault, now: clock, ...options })
  return {
    directory,
    file,
    vault,
    withDatabase,
    loadText: load,
    load: (records: readonly unknown[], options: Partial<ImportOptions> = {}) =>
      load(ndjson(records), options),
    async exported(): Promise<string> {
      let text = ''
      const { transact, close } = createWriter({ file })
      await exportRecords({ database: { transact }, vault }, (piece) => {
        text += piece
      })
      await close()
      return text
    },
    /** The bytes of the file itself: the same bytes mean that nothing was written. */
    bytes: () => readFileSync(file),
    /** Empties every table. */
    clear: () =>
      withDatabase((db) =>
        db.exec(
          ['Purchase', 'ApiKeyItem', 'ApiKey', 'SigningKey', 'Item', 'Workspace', 'Account']
            .map((table) => `DELETE FROM ${table}`)
            .join('; '),
        ),
      ),
    remove: () => rmSync(directory, { recursive: true, force: true }),
  }
}

export type TestDatabase = Awaited<ReturnType<typeof createTestDatabase>>
