import { createDecoder, detectDelimiter } from './text.ts'

/** Rows that an import left out. */
export interface RejectedRows {
  /** The line on which the names of the columns are, from 1. */
  header: number
  /** What is wrong, by the line on which a row begins. */
  problems: ReadonlyMap<number, string>
  /** How many lines a row has that has more than one. */
  lengths: ReadonlyMap<number, number>
}

/**
 * Takes the rejected rows out of a file, a chunk at a time, as they are written there, with a column `problem` after the others.
 *
 * @example
 * const take = createRejectedRows({ header: 1, problems: new Map([[3, 'date: must be a date']]), lengths: new Map() })
 * const csv = take(bytes) + take()
 */
export function createRejectedRows(rows: RejectedRows): (chunk?: Uint8Array) => string {
  const { header, problems, lengths } = rows
  const decode = createDecoder()
  let rest = ''
  let line = 0
  let delimiter: string | undefined
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
    const problem = problems.get(line - row.length + 1) ?? 'problem'
    return `${whole}${delimiter}"${problem.replaceAll('"', '""')}"\n`
  }

  return (chunk) => {
    const lines = (rest + decode(chunk)).split('\n')
    rest = chunk ? (lines.pop() ?? '') : ''
    return lines.map(readLine).join('')
  }
}
