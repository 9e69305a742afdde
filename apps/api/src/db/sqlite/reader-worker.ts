import { parentPort, workerData } from 'node:worker_threads'
import Sqlite from 'better-sqlite3'
import { sqliteDateTime } from '../../records/sqlite-datetime.ts'
import type { QueryParameter, ReaderAnswer, ReaderEnd, ReaderQuestion } from './reader.ts'

/** Nobody waits with this thread. */
const busyTimeoutMs = 5000

const { file } = workerData as { file: string }

const fold = (text: unknown) => String(text).normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()

/** The part that is looked for is the same for every row. */
function createFolded() {
  let [last, result] = ['', '']
  return (text: unknown) => {
    if (text !== last) [last, result] = [String(text), fold(text)]
    return result
  }
}

const folded = createFolded()

const stored = (parameter: QueryParameter) =>
  parameter instanceof Date ? sqliteDateTime(parameter) : parameter

/** A connection of its own each time: one that is open goes on reading a file that was deleted. */
function answer({ id, sql, parameters }: ReaderQuestion): ReaderAnswer {
  let database: Sqlite.Database | undefined
  try {
    database = new Sqlite(file, { fileMustExist: true, timeout: busyTimeoutMs })
    database.pragma('query_only = ON')
    database.function('fold', { deterministic: true }, fold)
    database.function('holds', { deterministic: true }, (text, part) =>
      fold(text).includes(folded(part)) ? 1 : 0,
    )
    // SQLite takes `$1` for a name.
    const named = Object.fromEntries(parameters.map((parameter, index) => [index + 1, stored(parameter)]))
    return { id, rows: database.prepare<[object]>(sql).all(named) }
  } catch (error) {
    const { name, message, code } = error as Error & { code?: string }
    return { id, error: { name, message, code } }
  } finally {
    database?.close()
  }
}

const port = parentPort
if (!port) throw new Error('reader-worker runs in a worker thread')
port.on('message', (question: ReaderQuestion | ReaderEnd) => {
  if (question === 'end') port.close()
  else port.postMessage(answer(question))
})
