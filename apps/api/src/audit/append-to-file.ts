import type { SqliteConnection } from '../db/sqlite/connection.ts'
import { sqliteDateTime } from '../records/sqlite-datetime.ts'
import { type AuditEvent, type AuditHead, type AuditSealer, extend } from './chain.ts'

export const noHead: AuditHead = { count: 0, hash: '', identity: '', seal: '' }

export const readHead = (connection: SqliteConnection): AuditHead | undefined =>
  connection
    .prepare<[], AuditHead>('SELECT count, hash, identity, seal FROM main.AuditHead WHERE id = 1')
    .get()

export function writeHead(connection: SqliteConnection, { count, hash, identity, seal }: AuditHead) {
  connection
    .prepare('INSERT OR IGNORE INTO main.AuditHead (id, count, hash, identity, seal) VALUES (1, 0, ?, ?, ?)')
    .run('', '', '')
  connection
    .prepare('UPDATE main.AuditHead SET count = ?, hash = ?, identity = ?, seal = ? WHERE id = 1')
    .run(count, hash, identity, seal)
}

/** When the deployment was made, once it is. */
export function readHome(connection: SqliteConnection) {
  const createdAt = connection
    .prepare<[], string>('SELECT createdAt FROM main.Deployment WHERE id = 1')
    .pluck()
    .get()
  return createdAt === undefined ? undefined : { createdAt: new Date(createdAt) }
}

/**
 * `appendAudit` for several events at once, without Prisma. The caller holds the transaction with its write lock. `identity` is that of the
 * deployment from now on.
 */
export function appendAuditTo(
  connection: SqliteConnection,
  events: readonly AuditEvent[],
  sealer: AuditSealer,
  { identity }: { identity?: string | undefined } = {},
) {
  const home = readHome(connection)
  const lastNumber = connection
    .prepare<[], number | null>('SELECT max(number) FROM main.AuditEntry')
    .pluck()
    .get()
  const insert = connection.prepare(
    `INSERT INTO main.AuditEntry (number, at, action, actor, workspaceId, subject, previousHash, hash)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  let state = { head: readHead(connection) ?? noHead, lastNumber: lastNumber ?? 0 }
  for (const event of events) {
    const { entry, head } = extend({ ...state, event, home, sealer, identity })
    const { number, at, action, actor, workspaceId, subject, previousHash, hash } = entry
    insert.run(number, sqliteDateTime(at), action, actor, workspaceId, subject, previousHash, hash)
    state = { head, lastNumber: number }
  }
  writeHead(connection, state.head)
}
