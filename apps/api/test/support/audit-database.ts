import { join } from 'node:path'
import Sqlite, { type Database } from 'better-sqlite3'
import { onTestFinished } from 'vitest'
import { openDatabase } from '../../src/open-database.ts'
import { migrations, temporaryFolder } from './folders.ts'

export const clock = () => new Date('2026-03-01T12:00:00.123Z')

export interface StoredEntry {
  number: number
  at: string
  action: string
  actor: string
  workspaceId: number | null
  subject: string | null
}

/** The database of a new deployment, and its file for reading and changing it. */
export async function newDatabase({ secret, at = clock }: { secret?: string; at?: () => Date } = {}) {
  const { folder, remove } = await temporaryFolder()
  onTestFinished(remove)
  const open = async () => {
    const opened = await openDatabase({
      databaseUrl: 'file:test.db',
      secret,
      cwd: folder,
      migrations,
      busyTimeoutMs: 5000,
      clock: at,
      migrate: 'always' as const,
    })
    onTestFinished(opened.close)
    return opened
  }
  const { database } = await open()
  const file = join(folder, 'test.db')
  const sql = <T>(act: (database: Database) => T): T => {
    const database = new Sqlite(file)
    try {
      return act(database)
    } finally {
      database.close()
    }
  }
  const entries = () =>
    sql((database) => database.prepare<[], StoredEntry>('SELECT * FROM AuditEntry ORDER BY number').all())
  return { folder, file, database, open, sql, entries }
}
