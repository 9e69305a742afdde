import type { RecordIssue } from '@saleproof/schema/records'
import type { FieldIssue } from '../records/check-record.ts'
import type { Row } from './sales/csv.ts'

/** A line of the file: its text, or why it has none. */
export interface Line {
  number: number
  text: string
  issue?: RecordIssue
  /** Of a sales file: the record that a row became or what is wrong with it, and the row. */
  value?: unknown
  issues?: FieldIssue[]
  row?: Row
}

/** The largest length of a line in bytes. */
export const maxLineBytes = 1024 * 1024

const pieceBytes = 64 * 1024
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
  const reader = createLineReader()
  let isFirst = true
  for await (const chunk of source) {
    if (isFirst && isUtf16(chunk)) return yield [{ number: 1, text: '', issue: 'utf16' }]
    isFirst = false
    for (let from = 0; from < chunk.length; from += pieceBytes) {
      const lines = reader.push(chunk.subarray(from, from + pieceBytes))
      if (lines.length) yield lines
    }
  }
  yield reader.end()
}

function createLineReader() {
  let number = 0
  let held: Uint8Array[] = []
  let heldBytes = 0
  let overlong = false

  function line(text: string | undefined): Line | undefined {
    number += 1
    if (text === undefined) return { number, text: '', issue: 'utf8' }
    const content = number === 1 && text.startsWith('\ufeff') ? text.slice(1) : text
    return blank.test(content) ? undefined : { number, text: content }
  }

  const present = (lines: Iterable<Line | undefined>) => [...lines].filter((each) => each !== undefined)

  /** The line that earlier pieces began. */
  function finishHeld(rest: Uint8Array): Line | undefined {
    const bytes = heldBytes > 0 ? Buffer.concat([...held, rest]) : rest
    const tooLong = overlong || bytes.length > maxLineBytes
    held = []
    heldBytes = 0
    overlong = false
    if (!tooLong) return line(decode(bytes))
    number += 1
    return { number, text: '', issue: 'line_length' }
  }

  function hold(bytes: Uint8Array) {
    overlong ||= heldBytes + bytes.length > maxLineBytes
    if (overlong) held = []
    // A copy: the source may use its buffer again.
    else held.push(new Uint8Array(bytes))
    heldBytes = overlong ? 0 : heldBytes + bytes.length
  }

  function wholeLines(bytes: Uint8Array): Line[] {
    const text = decode(bytes)
    const texts = text === undefined ? [...splitBytes(bytes)].map(decode) : text.split('\n')
    return present(texts.map(line))
  }

  return {
    push(piece: Uint8Array): Line[] {
      const first = piece.indexOf(newline)
      if (first < 0) {
        hold(piece)
        return []
      }
      const begun = finishHeld(piece.subarray(0, first))
      const last = piece.lastIndexOf(newline)
      const lines = last > first ? wholeLines(piece.subarray(first + 1, last)) : []
      hold(piece.subarray(last + 1))
      return present([begun, ...lines])
    },
    end: (): Line[] => (heldBytes > 0 || overlong ? present([finishHeld(new Uint8Array())]) : []),
  }
}
