import { isUtf8 } from 'node:buffer'
import { UserError } from '../../user-error.ts'
import { readPieces } from '../pieces.ts'

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

/** White space, a byte order mark and comments: what those such as `!40101` hold is for a server. */
const blank = /(?:\s+|\xef\xbb\xbf|--(?=\s)[^\n]*\n|#[^\n]*\n|\/\*[\s\S]*?\*\/)*/y
const openComment = /--\s|#|\/\*/y
const wordOrMark = /[^\s(),;'"`/#]+|[\s\S]/y

function endOfMatch(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : at
}

const quotes = '\'"`'

/** Where a text ends that begins with a quote; -1 where that is not read yet. */
function endOfQuoted(text: string, from: number): number {
  const quote = text.charCodeAt(from)
  const backslash = text[from] === '`' ? -1 : 0x5c
  for (let at = from + 1; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === backslash || (code === quote && text.charCodeAt(at + 1) === quote)) at++
    else if (code === quote) return at + 1
  }
  return -1
}

/** Where a token ends; -1 where that is not read yet. */
function endOfToken(text: string, at: number): number {
  const first = text[at] ?? ''
  if ('(),;'.includes(first)) return at + 1
  if (quotes.includes(first)) return endOfQuoted(text, at)
  return endOfMatch(openComment, text, at) > at ? -1 : endOfMatch(wordOrMark, text, at)
}

const escapes: ReadonlyMap<string, string> = new Map(
  Object.entries({ 0: '\0', b: '\b', n: '\n', r: '\r', t: '\t', Z: '\x1a', '%': '\\%', _: '\\_' }),
)

/** What quotes hold. */
function unquote(token: string): string {
  const quote = token.charAt(0)
  if (!quotes.includes(quote)) return token
  const inner = token.slice(1, -1)
  if (quote === '`' || !inner.includes('\\')) return inner.replaceAll(quote + quote, quote)
  return inner.replace(quote === '"' ? /\\([\s\S])|""/g : /\\([\s\S])|''/g, (_, escaped = quote) => {
    return escapes.get(escaped) ?? escaped
  })
}

const noColumn = /^(?:primary|unique|key|index|fulltext|spatial|constraint|foreign|check)$/i

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
    at = endOfMatch(blank, text, at)
    const end = endOfToken(text, at)
    if (end < 0 || end >= text.length)
      throw isEnd ? fail('the dump ends within what begins here') : incomplete
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
    if (first === 'create' && /^table$/i.test(token())) readCreate()
    if (first === 'insert' || first === 'replace') readInsert()
  }

  function skipStatement() {
    if (token() === ';') readPart = readStatement
  }

  function readCreate() {
    let next = token()
    while (/^(?:if|not|exists)$/i.test(next)) next = token()
    table = unquote(next)
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
    if (columns.length === 0) fail('neither CREATE TABLE nor INSERT names its columns')
  }

  function readRow() {
    if (token() !== '(') fail('a row begins with a bracket')
    const values = wanted.includes(table) ? readValues() : undefined
    if (!values) for (let mark = ','; mark === ','; mark = skipEntry());
    const next = token()
    // Nothing is kept before the last token: a part that goes on in the next piece is read again.
    if (values) rows.push({ table, line, values })
    else skipped.set(table, (skipped.get(table) ?? 0) + 1)
    if (next !== ',') readPart = next === ';' ? readStatement : skipStatement
  }

  function readValues() {
    const values: Record<string, string | undefined> = {}
    let count = 0
    for (let mark = ','; mark === ','; mark = token()) {
      const value = readValue()
      if (typeof value === 'object' && !isUtf8(value)) fail('a text is not UTF-8')
      values[columns[count++] ?? ''] = value?.toString()
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
    at = endOfMatch(blank, text, at)
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
  for await (const piece of readPieces(source)) {
    const bytes = Buffer.from(piece.buffer, piece.byteOffset, piece.length)
    if (isFirst && ['fffe', '1f8b', '504b'].includes(bytes.toString('hex', 0, 2)))
      throw new UserError('the dump is compressed or UTF-16: unpack it, or write it with --result-file')
    isFirst = false
    const rows = read(bytes.toString('latin1'), false)
    if (rows.length > 0) yield rows
  }
  yield read('\n', true)
}
