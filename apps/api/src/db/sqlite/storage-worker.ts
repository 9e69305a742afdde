import { workerData } from 'node:worker_threads'
import { PrismaBetterSqlite3 } from '@prisma/adapter-better-sqlite3'
import type { Statement } from 'better-sqlite3'
import { DatabaseError, readErrorCode } from '../errors.ts'
import { fold } from '../fold.ts'
import { createCommitRecord } from './commit-record.ts'
import { adapterOptions, runSql, type SqliteConnection, withSqlite } from './connection.ts'
import { fromSqlite } from './errors.ts'
import type { StorageCall } from './storage-thread.ts'
import { answerCalls } from './thread.ts'

const { file, timeoutMs }: { file: string; timeoutMs: number } = workerData

/** The first statements are planned once. */
const maxPrepared = 100

/** The one connection that writes, with Prisma's adapter on it. */
async function open() {
  const options = { url: file, timeout: timeoutMs, fileMustExist: true }
  const adapter = await new PrismaBetterSqlite3(options, adapterOptions).connect()
  // The adapter sets no journal mode, and SQLite's defaults of `synchronous` and `secure_delete` depend on how it was compiled.
  await adapter.executeScript(
    'PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA secure_delete = ON; PRAGMA wal_autocheckpoint = 0',
  )
  // A private field of the adapter: another connection could not take part in its transactions.
  const { client } = adapter as unknown as { client: SqliteConnection }
  const prepared = new Map<string, Statement<unknown[], unknown>>()
  const prepare = (sql: string) => {
    // Prisma's statements give integers as `bigint`.
    const statement = prepared.get(sql) ?? client.prepare(sql).safeIntegers(false)
    if (prepared.size < maxPrepared) prepared.set(sql, statement)
    return statement
  }
  // The caller knows the parameters and columns of its statement.
  return {
    adapter,
    client,
    commits: createCommitRecord(file, client),
    statements: { prepare: prepare as SqliteConnection['prepare'] },
    done: new Set<string>(),
  }
}

let opened: Awaited<ReturnType<typeof open>> | undefined

/** Each query has a connection of its own: an open one goes on reading a file that was deleted. */
const read = (sql: string, values: readonly unknown[]) =>
  withSqlite(file, (connection) => {
    connection.pragma('query_only = ON')
    connection.function('fold', { deterministic: true }, (text) => fold(String(text)))
    return runSql(connection, sql, ...values)
  })

function checkpoint({ client, statements }: Awaited<ReturnType<typeof open>>, mode: string) {
  client.pragma('busy_timeout = 0')
  try {
    return runSql<{ busy: number }>(statements, `PRAGMA wal_checkpoint(${mode})`)[0]?.busy === 0
  } finally {
    client.pragma(`busy_timeout = ${timeoutMs}`)
  }
}

const isPartOfTransaction = (call: StorageCall) =>
  call.method === 'run' ? !call.sql.startsWith('BEGIN') : 'query' in call && call.joined

async function execute(call: StorageCall): Promise<unknown> {
  if (call.method === 'read') return read(call.sql, call.values)
  // After a full disk, for example, SQLite has rolled back by itself: each statement that was sent already would be committed alone.
  if (isPartOfTransaction(call) && !opened?.client.inTransaction) {
    if (call.method === 'run' && call.sql === 'ROLLBACK') return []
    throw new DatabaseError('other', 'SQLITE_ABORT_ROLLBACK')
  }
  opened ??= await open()
  if (call.method === 'prepare') {
    for (const sql of call.statements) {
      if (!opened.done.has(sql)) opened.client.exec(sql)
      opened.done.add(sql)
    }
    return undefined
  }
  if (call.method === 'checkpoint') return checkpoint(opened, call.mode)
  if ('query' in call) return opened.adapter[call.method](call.query)
  const rows = runSql(opened.statements, call.sql, ...call.values)
  if (call.sql === 'COMMIT') opened.commits.update()
  return rows
}

function close() {
  opened?.commits.close()
  opened?.client.close()
}

/** SQLite opens a file that may not be written for reading, and that connection stays so. */
function closeReadOnly(error: unknown) {
  if (!readErrorCode(fromSqlite(error)).startsWith('SQLITE_READONLY')) return
  close()
  opened = undefined
}

answerCalls<StorageCall>({
  async execute(call) {
    try {
      return await execute(call)
    } catch (error) {
      closeReadOnly(error)
      throw error
    }
  },
  close,
})
