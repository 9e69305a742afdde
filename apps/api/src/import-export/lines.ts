import type { RecordIssue } from '@saleproof/schema/records'
import type { FieldIssue } from '../records/check-record.ts'
import { readPieces } from './pieces.ts'
import type { Row } from './sales/csv.ts'

/** A line of the file: its text, or what is wrong with it. */
export interface Line {
  number: number
  text: string
  issues?: readonly FieldIssue[]
  /** Only in a sales file: the record that a row became, and the row. */
  value?: unknown
  row?: Row
}

const unreadable = (number: number, issue: RecordIssue): Line => ({
  number,
  text: '',
  issues: [{ field: null, issue }],
})

/** The largest length of a line in bytes. */
export const maxLineBytes = 1024 * 1024

const newline = 0x0a
const blank = /^[ \t\r]*$/

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

function decode(bytes: Uint8Array): string | undefined {
  try {
    return decoder.decode(bytes)
  } catch {
    return undefined
  }
}

/** Cuts bytes at line feeds; in UTF-8 no other character holds such a byte. */
function* splitBytes(bytes: Uint8Array): Generator<Uint8Array> {
  let from = 0
  for (let at = bytes.indexOf(newline); at >= 0; at = bytes.indexOf(newline, from)) {
    yield bytes.subarray(from, at)
    from = at + 1
  }
  yield bytes.subarray(from)
}

/** Whether bytes begin with the byte order mark of UTF-16, which spreadsheets save. */
const isUtf16 = ([first, second]: Uint8Array) =>
  (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)

/** Bytes to lines. Gives its lines in blocks, because a promise for each line would cost more than reading it. */
export async function* readLines(source: AsyncIterable<Uint8Array>): AsyncGenerator<Line[]> {
  let number = 0
  /** The bytes of a line that has not ended. */
  let rest: Uint8Array = new Uint8Array()
  let isOverlong = false

  function toLines(text: string | undefined, issue: RecordIssue = 'utf8'): Line[] {
    number += 1
    if (text === undefined) return [unreadable(number, issue)]
    const content = number === 1 && text.startsWith('\ufeff') ? text.slice(1) : text
    return blank.test(content) ? [] : [{ number, text: content }]
  }

  function readWhole(bytes: Uint8Array): Line[] {
    const text = decode(bytes)
    const texts = text === undefined ? [...splitBytes(bytes)].map(decode) : text.split('\n')
    return texts.flatMap((each) => toLines(each))
  }

  function hold(bytes: Uint8Array) {
    isOverlong ||= rest.length + bytes.length > maxLineBytes
    rest = isOverlong ? new Uint8Array() : Buffer.concat([rest, bytes])
  }

  function readRest(): Line[] {
    const lines = isOverlong ? toLines(undefined, 'line_length') : readWhole(rest)
    rest = new Uint8Array()
    isOverlong = false
    return lines
  }

  let isFirst = true
  for await (const piece of readPieces(source)) {
    if (isFirst && isUtf16(piece)) return yield [unreadable(1, 'utf16')]
    isFirst = false
    const first = piece.indexOf(newline)
    const last = piece.lastIndexOf(newline)
    hold(first < 0 ? piece : piece.subarray(0, first))
    if (first < 0) continue
    const lines = readRest()
    if (last > first) lines.push(...readWhole(piece.subarray(first + 1, last)))
    hold(piece.subarray(last + 1))
    if (lines.length > 0) yield lines
  }
  if (rest.length > 0 || isOverlong) yield readRest()
}
