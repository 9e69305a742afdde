import { parentPort, workerData } from 'node:worker_threads'
import { sqliteDateTime } from '../../records/sqlite-datetime.ts'
import { toMessage } from '../errors.ts'
import { fold } from '../fold.ts'
import { runSql, withSqlite } from './connection.ts'
import type { ReaderEnd, ReaderQuery, ReaderResponse } from './reader.ts'

const { file }: { file: string } = workerData

/** Each query has a connection of its own: an open one goes on reading a file that was deleted. */
function respond({ id, sql, parameters }: ReaderQuery): ReaderResponse {
  try {
    return withSqlite(file, (connection) => {
      connection.pragma('query_only = ON')
      connection.function('fold', { deterministic: true }, (text) => fold(String(text)))
      const values = parameters.map((value) => (value instanceof Date ? sqliteDateTime(value) : value))
      return { id, rows: runSql(connection, sql, ...values) }
    })
  } catch (error) {
    return { id, error: toMessage(error) }
  }
}

const port = parentPort
if (!port) throw new Error('reader-worker runs in a worker thread')
port.on('message', (message: ReaderQuery | ReaderEnd) => {
  if (message === 'end') port.close()
  else port.postMessage(respond(message))
})
