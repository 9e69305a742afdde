import { createDecoder, detectDelimiter } from './text.ts'

/** Rows that an import left out. */
export interface RejectedRows {
  /** The line on which the names of the columns are, from 1. */
  header: number
  /** What is wrong with which column, with the lines on which rows begin, and another line that each has to do with. */
  problems: readonly {
    column: string
    message: string
    lines: readonly number[]
    others?: readonly number[]
  }[]
  /** How many lines a row has that has more than one. */
  lengths: readonly (readonly [line: number, lines: number])[]
}

function describeLines({ problems }: RejectedRows) {
  const texts = new Map<number, string[]>()
  for (const { column, message, lines, others } of problems)
    for (const [index, line] of lines.entries()) {
      const text = `${column}: ${message}${others ? ` (${others[index]})` : ''}`
      texts.set(line, [...(texts.get(line) ?? []), text])
    }
  return texts
}

/**
 * Takes the rejected rows out of a file, a chunk at a time, as they are written there, with a column `problem` after the others; one that
 * the file has from before is replaced.
 *
 * @example
 * const take = createRejectedRows({
 *   header: 1,
 *   problems: [{ column: 'Date', message: 'is not a date', lines: [3] }],
 *   lengths: [],
 * })
 * const csv = take(bytes) + take()
 */
export function createRejectedRows(rows: RejectedRows): (chunk?: Uint8Array) => string {
  const { header } = rows
  const problems = describeLines(rows)
  const lengths = new Map(rows.lengths)
  const decode = createDecoder()
  let rest = ''
  let line = 0
  let delimiter: string | undefined
  let isCorrected = false
  let row: string[] = []
  let missing = 0

  function readLine(text: string): string {
    line += 1
    if (missing === 0) {
      if (line !== header && !problems.has(line)) return ''
      row = []
      missing = lengths.get(line) ?? 1
    }
    row.push(text.endsWith('\r') ? text.slice(0, -1) : text)
    missing -= 1
    if (missing > 0) return ''
    const written = row.join('\n')
    // A file that was cut may leave its last quote open.
    const whole = written.split('"').length % 2 === 1 ? written : `${written}"`
    delimiter ??= detectDelimiter(whole)
    const lastCell = new RegExp(`[${delimiter}](?:"(?:[^"]|"")*"|[^"${delimiter}]*)$`)
    if (line === header) isCorrected = /^.problem$/.test(lastCell.exec(whole)?.[0].replaceAll('"', '') ?? '')
    const own = isCorrected ? whole.replace(lastCell, '') : whole
    const problem = problems.get(line - row.length + 1)?.join('; ') ?? 'problem'
    return `${own}${delimiter}"${problem.replaceAll('"', '""')}"\n`
  }

  return (chunk) => {
    const lines = (rest + decode(chunk)).split('\n')
    rest = chunk ? (lines.pop() ?? '') : ''
    return lines.map(readLine).join('')
  }
}
