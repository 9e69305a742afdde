import type { Database } from 'better-sqlite3'
import { sqliteDateTime } from '../records/sqlite-datetime.ts'
import { type AuditEvent, type AuditHead, type AuditSealer, extend } from './chain.ts'

export const noHead: AuditHead = { count: 0, hash: '', identity: '', seal: '' }

export const readHead = (database: Database): AuditHead | undefined =>
  database.prepare<[], AuditHead>('SELECT count, hash, identity, seal FROM main.AuditHead WHERE id = 1').get()

export function writeHead(database: Database, { count, hash, identity, seal }: AuditHead) {
  database
    .prepare('INSERT OR IGNORE INTO main.AuditHead (id, count, hash, identity, seal) VALUES (1, 0, ?, ?, ?)')
    .run('', '', '')
  database
    .prepare('UPDATE main.AuditHead SET count = ?, hash = ?, identity = ?, seal = ? WHERE id = 1')
    .run(count, hash, identity, seal)
}

/** When the deployment was made, once it is. */
export function readHome(database: Database) {
  const createdAt = database
    .prepare<[], string>('SELECT createdAt FROM main.Deployment WHERE id = 1')
    .pluck()
    .get()
  return createdAt === undefined ? undefined : { createdAt: new Date(createdAt) }
}

/**
 * `appendAudit` for who writes to the file itself, all of its events at once. The caller holds the transaction, and in it the write lock.
 * `identity` is what the head is to note from now on.
 */
export function appendAuditTo(
  database: Database,
  events: readonly AuditEvent[],
  sealer: AuditSealer,
  { identity }: { identity?: string } = {},
) {
  const home = readHome(database)
  const lastNumber = database
    .prepare<[], number | null>('SELECT max(number) FROM main.AuditEntry')
    .pluck()
    .get()
  const insert = database.prepare(
    `INSERT INTO main.AuditEntry (number, at, action, actor, workspaceId, subject, previousHash, hash)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  let state = { head: readHead(database) ?? noHead, lastNumber: lastNumber ?? 0 }
  for (const event of events) {
    const { entry, head } = extend({ ...state, event, home, sealer, identity })
    const { number, at, action, actor, workspaceId, subject, previousHash, hash } = entry
    insert.run(number, sqliteDateTime(at), action, actor, workspaceId, subject, previousHash, hash)
    state = { head, lastNumber: number }
  }
  writeHead(database, state.head)
}
