import { isUtf8 } from 'node:buffer'
import { UserError } from '../../user-error.ts'
import { readPieces } from '../pieces.ts'
import { endOfBlank, endOfToken, unquote } from './tokens.ts'

/** A row of a table. */
export interface DumpRow {
  table: string
  /** The line on which it begins, from 1. */
  line: number
  /** Its values by column; NULL, and a column that the table has not, is undefined. */
  values: Readonly<Record<string, string | undefined>>
}

/** What is read at once, a row for example, is no longer. */
const maxLength = 64 * 1024 * 1024

/** Thrown within: what is read goes on in the next piece. */
const incomplete = new Error('incomplete')

const statementsAgain = /^delimiter[ \t]+;[ \t\r]*\n/gim
const endsWithin = 'the dump ends within what begins here'
const noColumn = /^(?:primary|unique|key|index|fulltext|spatial|constraint|foreign|check)$/i

/** Bytes that are no text are refused where they are read: a table may have columns of bytes beside those. */
const refusal = (line: number, table: string, column: string): PropertyDescriptor => ({
  get() {
    throw new UserError(
      `line ${line}: table ${table}: ${column} is not UTF-8: dump with --default-character-set=utf8mb4; nothing was stored`,
    )
  },
})

/** Reads rows out of pieces of a dump, in which each character is a byte. The last piece ends with a line feed. */
function createParser(wanted: readonly string[], skipped: Map<string, number>) {
  const created = new Map<string, string[]>()
  let rows: DumpRow[] = []
  let table = ''
  let columns: readonly string[] = []
  let readPart = readStatement
  let text = ''
  let isEnd = false
  /** Where the next token begins; where the part begins that is read, and its line; where the next line feed is. */
  let at = 0
  let from = 0
  let line = 1
  let newline = -1
  /** How much text there has to be. */
  let needed = 0

  function fail(message: string): never {
    throw new UserError(`line ${line}: ${table && `table ${table}: `}${message}; nothing was stored`)
  }

  function token(): string {
    at = endOfBlank(text, at)
    const end = endOfToken(text, at)
    if (end < 0 || end >= text.length) throw isEnd ? fail(endsWithin) : incomplete
    const read = text.slice(at, end)
    at = end
    return read
  }

  /** Goes on to a comma or to the bracket that closes a list; says which. */
  function skipEntry(): string {
    for (let depth = 0; ; ) {
      const read = token()
      if (depth === 0 && (read === ',' || read === ')')) return read
      if (read === '(') depth += 1
      if (read === ')') depth -= 1
    }
  }

  function readStatement() {
    table = ''
    readPart = skipStatement
    const first = token().toLowerCase()
    if (first === ';') readPart = readStatement
    if (first === 'delimiter') skipRoutines()
    if (first === 'create' && /^table$/i.test(token())) readCreate()
    if (first === 'insert' || first === 'replace') readInsert()
  }

  function skipStatement() {
    if (token() === ';') readPart = readStatement
  }

  /** What routines would insert is no row: they end where statements end with a semicolon again. */
  function skipRoutines() {
    statementsAgain.lastIndex = from
    if (!statementsAgain.test(text)) throw isEnd ? fail(endsWithin) : incomplete
    at = statementsAgain.lastIndex
    readPart = readStatement
  }

  function readCreate() {
    let next = token()
    while (/^(?:if|not|exists)$/i.test(next)) next = token()
    table = unquote(next)
    if (wanted.includes(table) && created.has(table)) fail('there are two of it: dump one database alone')
    const names: string[] = []
    for (let mark = token() === '(' ? ',' : ''; mark === ','; mark = skipEntry()) {
      const definition = token()
      if (!noColumn.test(definition)) names.push(unquote(definition))
    }
    created.set(table, names)
  }

  function readInsert() {
    let next = token()
    while (/^(?:ignore|into)$/i.test(next)) next = token()
    table = unquote(next)
    next = token()
    const names: string[] = []
    for (let mark = next === '(' ? ',' : ''; mark === ','; mark = token()) names.push(unquote(token()))
    if (names.length > 0) next = token()
    columns = names.length > 0 ? names : (created.get(table) ?? [])
    if (/^values?$/i.test(next)) readPart = readRow
    if (!wanted.includes(table)) return
    if (readPart !== readRow) fail('only INSERT … VALUES is read')
    if (columns.length === 0) fail('neither CREATE TABLE nor INSERT names its columns: dump both')
  }

  function readRow() {
    if (token() !== '(') fail('a row begins with a bracket')
    const values = wanted.includes(table) ? readValues() : undefined
    if (!values) for (let mark = ','; mark === ','; mark = skipEntry());
    const next = token()
    // Nothing is kept before the last token: a part that goes on in the next piece is read again.
    if (values) rows.push({ table, line, values })
    else skipped.set(table, (skipped.get(table) ?? 0) + 1)
    if (next === ',') return
    if (next !== ';' && !/^(?:as|on)$/i.test(next)) fail('a row ends with a comma or a semicolon')
    readPart = next === ';' ? readStatement : skipStatement
  }

  function readValues() {
    const values: Record<string, string | undefined> = {}
    let count = 0
    for (let mark = ','; mark === ','; mark = token()) {
      const value = readValue()
      const column = columns[count++] ?? ''
      if (typeof value !== 'object' || isUtf8(value)) values[column] = value?.toString()
      else Object.defineProperty(values, column, refusal(line, table, column))
    }
    if (count !== columns.length) fail(`a row of ${count} values, for ${columns.length} columns`)
    return values
  }

  /** A number as it is written, the bytes of a text, or undefined for NULL. */
  function readValue(): string | Buffer | undefined {
    const read = token()
    if (/^['"]/.test(read)) return Buffer.from(unquote(read), 'latin1')
    if (/^_\w+$/.test(read)) return readValue()
    if (/^null$/i.test(read)) return undefined
    if (/^0x[\da-f]*$/i.test(read)) return Buffer.from(read.slice(2), 'hex')
    return /^[-+]?[\d.]+(?:e[-+]?\d+)?$/i.test(read) ? read : fail('a value is neither text nor a number')
  }

  /** Leaves what was read behind. */
  function commit() {
    at = endOfBlank(text, at)
    from = at
    for (; newline >= 0 && newline < from; newline = text.indexOf('\n', newline + 1)) line += 1
  }

  return function read(piece: string, isLast: boolean): DumpRow[] {
    text += piece
    isEnd = isLast
    rows = []
    if (text.length < needed && !isLast) return rows
    at = 0
    newline = text.indexOf('\n')
    for (commit(); at < text.length || (isLast && readPart === readRow); commit()) {
      const part = readPart
      try {
        part()
      } catch (error) {
        if (error !== incomplete) throw error
        readPart = part
        break
      }
    }
    text = text.slice(from)
    if (text.length > maxLength) fail('more than 64 MiB belong to what begins here')
    // To read as much again as was read already takes a time that grows with the length, and not with its square.
    needed = 2 * text.length
    return rows
  }
}

/** How files begin: UTF-16, gzip, zip, bzip2, xz and zstd. */
const compressed = ['fffe', '1f8b', '504b', '425a', 'fd37', '28b5']
/** Dumps keep it at their beginning and set it again at their end. */
const setting = '@OLD_CHARACTER_SET_CLIENT'

/**
 * Reads the rows of some tables of a dump as mysqldump and phpMyAdmin write it, a few at a time. `skipped` gets the number of rows of each
 * other table.
 */
export async function* readDump(
  source: AsyncIterable<Uint8Array>,
  tables: readonly string[],
  skipped = new Map<string, number>(),
): AsyncGenerator<DumpRow[]> {
  const read = createParser(tables, skipped)
  let isFirst = true
  let isRestored = true
  let end = ''
  for await (const piece of readPieces(source)) {
    const bytes = Buffer.from(piece.buffer, piece.byteOffset, piece.length)
    const text = bytes.toString('latin1')
    if (isFirst) {
      if (compressed.includes(bytes.toString('hex', 0, 2)))
        throw new UserError('the dump is compressed or UTF-16: unpack it, or write it with --result-file')
      isRestored = !text.includes(`SET ${setting}`)
      isFirst = false
    }
    const rows = read(text, false)
    if (rows.length > 0) yield rows
    end = (end + text).slice(-4096)
  }
  yield read('\n', true)
  if (!isRestored && !end.includes(`=${setting}`))
    throw new UserError('the dump was cut off: its end is missing')
}
