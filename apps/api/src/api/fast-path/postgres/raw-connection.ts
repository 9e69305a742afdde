import { DatabaseError } from '../../../db/errors.ts'
import type { Connection } from '../../../db/postgres/connection.ts'

// https://www.postgresql.org/docs/current/protocol-message-formats.html

/** The values of a row as they arrive: texts, or null. */
export type RawRow = readonly (string | null)[]

export interface Query {
  /** Of the prepared statement of each connection; undefined for a statement that is parsed each time. */
  name: string | undefined
  text: string
  values: readonly (string | null)[]
}

type Done = (error: unknown, rows: RawRow[]) => void

interface Pending {
  sentAt: number
  /** Undefined once the caller was told that this takes too long: the result is still to come. */
  done: Done | undefined
  /** A name that is given to a statement with this query. */
  named: string | undefined
  rows: RawRow[]
  error: Error | undefined
}

/** How long a query waits behind others, of which each may wait for a lock. */
const longestWaitMs = 1000

const tooManyWait = () => new DatabaseError('busy', 'QUERIES')

// Messages are texts with a character for each byte: one such text is written to a socket sooner than many small buffers.
const int16 = (number: number) => String.fromCharCode((number >> 8) & 255, number & 255)
const int32 = (number: number) => int16(number >> 16) + int16(number)
const message = (type: string, body: string) => type + int32(body.length + 4) + body
const utf8 = (text: string) => Buffer.from(text).toString('latin1')

function parameter(value: string | null): string {
  if (value === null) return int32(-1)
  const bytes = utf8(value)
  return int32(bytes.length) + bytes
}

const parse = (name: string, text: string) => message('P', `${name}\0${utf8(text)}\0${int16(0)}`)
const bind = (name: string, values: Query['values']) =>
  message('B', `\0${name}\0${int16(0)}${int16(values.length)}${values.map(parameter).join('')}${int16(0)}`)
const executeAndSync = message('E', `\0${int32(0)}`) + message('S', '')

function readRow(bytes: Buffer, start: number): RawRow {
  const row: (string | null)[] = []
  let offset = start + 2
  for (let left = bytes.readInt16BE(start); left > 0; left--) {
    const length = bytes.readInt32BE(offset)
    offset += 4
    row.push(length < 0 ? null : bytes.toString('utf8', offset, offset + length))
    if (length > 0) offset += length
  }
  return row
}

function readError(bytes: Buffer, start: number, end: number): Error {
  const fields = bytes.toString('utf8', start, end).split('\0')
  const field = (type: string) => fields.find((text) => text.startsWith(type))?.slice(1)
  return Object.assign(new Error(field('M')), { code: field('C') })
}

const [parseComplete, dataRow, errorResponse, readyForQuery] = [...'1DEZ'].map((type) => type.charCodeAt(0))

/**
 * Takes a connection over from the driver, once that has connected. It asks for no description of columns and takes values as they arrive:
 * the driver would build an object from each row, and writes each message of each query by itself, which costs more than the rest of a
 * response. Queries of one turn of the event loop are sent in one piece.
 */
export function createRawConnection(connection: Connection) {
  const { stream } = connection.connection
  const queue: Pending[] = []
  const named = new Set<string>()
  let unsent = ''
  let unread: Buffer = Buffer.alloc(0)

  function flush() {
    stream.write(unsent, 'latin1')
    unsent = ''
  }

  function finish({ done, error, rows }: Pending, otherError?: unknown) {
    if (queue.length === 0) connection.emit('drain')
    done?.(error ?? otherError, rows)
  }

  /** After a query that failed: those behind it that have waited for long would wait for the same lock. */
  function giveUpOverdue() {
    const overdue = performance.now() - longestWaitMs
    for (const pending of queue) {
      if (pending.sentAt > overdue) return
      const { done } = pending
      pending.done = undefined
      done?.(tooManyWait(), [])
    }
  }

  /** Whether results are still to come that no caller waits for. */
  const isBehind = () => queue[0] !== undefined && !queue[0].done

  function fail(error: unknown) {
    for (let pending = queue.shift(); pending; pending = queue.shift()) finish(pending, error)
  }

  function receive(type: number | undefined, bytes: Buffer, start: number, end: number) {
    const [pending] = queue
    // What the server tells while nothing is asked, such as that it stops.
    if (!pending) return
    if (type === dataRow) pending.rows.push(readRow(bytes, start))
    else if (type === parseComplete) pending.named = undefined
    else if (type === errorResponse) {
      pending.error = readError(bytes, start, end)
      if (pending.named) named.delete(pending.named)
    } else if (type === readyForQuery) {
      queue.shift()
      finish(pending)
      if (pending.error) giveUpOverdue()
    }
  }

  stream.removeAllListeners('data')
  stream.on('data', (chunk: Buffer) => {
    const bytes = unread.length ? Buffer.concat([unread, chunk]) : chunk
    let start = 0
    while (start + 5 <= bytes.length) {
      const end = start + 1 + bytes.readUInt32BE(start + 1)
      if (end > bytes.length) break
      receive(bytes[start], bytes, start + 5, end)
      start = end
    }
    unread = bytes.subarray(start)
  })
  connection.on('error', fail)
  connection.once('end', () => fail(new Error('the connection was closed')))

  return {
    pending: () => (isBehind() ? Number.POSITIVE_INFINITY : queue.length),

    query({ name = '', text, values }: Query, done: Done) {
      if (isBehind()) return done(tooManyWait(), [])
      if (unsent === '') setImmediate(flush)
      const isNew = !named.has(name)
      if (isNew) unsent += parse(name, text)
      if (isNew && name) named.add(name)
      unsent += bind(name, values) + executeAndSync
      queue.push({
        sentAt: performance.now(),
        done,
        named: isNew ? name : undefined,
        rows: [],
        error: undefined,
      })
      connection.watchSilence()
    },

    /** Ends it; queries that have no result fail. */
    end() {
      if (queue.length) stream.destroy()
      return connection.end()
    },
  }
}

export type RawConnection = ReturnType<typeof createRawConnection>
