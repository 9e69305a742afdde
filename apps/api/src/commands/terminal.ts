import type { Environment } from '../config.ts'
import type { LineBuffer } from '../observability/line-buffer.ts'

interface Output {
  write(text: string | Uint8Array, done?: (error?: Error | null) => void): boolean
  isTTY?: boolean
}

/** What a command gets of the world. */
export interface Terminal {
  env: Environment
  /** What relative paths are relative to. */
  cwd: string
  cores: number
  /** The folder of this package: migrations and documents are found from here. */
  packageRoot: string
  stdin: AsyncIterable<Uint8Array> & {
    isTTY?: boolean
    /** On a terminal: whether what is typed is handed over key by key and not shown. */
    setRawMode?: (raw: boolean) => unknown
  }
  stdout: Output
  stderr: Output
  clock: () => Date
  /** What the clock says in milliseconds since 1970: for what is asked with every request. */
  now: () => number
  /** Where logs go. */
  logStream: () => LineBuffer
  onSignal: (listener: () => void) => void
  /** Ends the process by then, whatever it still waits for; what has ended before ended by itself. */
  exitWithin: (milliseconds: number) => void
}

/** A command that cannot be carried out: its message for the person, its code for the shell. */
export class CommandError extends Error {
  readonly exitCode: 1 | 2

  constructor(message: string, exitCode: 1 | 2 = 1) {
    super(message)
    this.name = 'CommandError'
    this.exitCode = exitCode
  }
}

/** Messages go to standard error, so that standard output holds the result alone. */
export const say = (terminal: Terminal, text: string) => void terminal.stderr.write(`${text}\n`)

/** Writes a piece of the result, and waits while the reader is slower. The command ends when the reader has gone, as `head` does. */
export const write = (terminal: Terminal, text: string | Uint8Array) =>
  new Promise<void>((resolve, reject) => {
    terminal.stdout.write(text, (error) => {
      if (!error) return resolve()
      const { code } = error as { code?: string }
      reject(new CommandError(code === 'EPIPE' ? '' : `the result could not be written (${code})`))
    })
  })

/** Writes rows as a table for people, or as JSON for programs. */
export async function writeTable<Row extends Record<string, unknown>>(
  terminal: Terminal,
  rows: readonly Row[],
  { json, columns }: { json: boolean; columns: readonly (keyof Row & string)[] },
) {
  if (json) return write(terminal, `${JSON.stringify(rows, null, 2)}\n`)
  const heads = columns.map((column) => column.replaceAll('_', ' '))
  const cells = [heads, ...rows.map((row) => columns.map((column) => String(row[column] ?? '–')))]
  const widths = columns.map((_, index) => Math.max(...cells.map((line) => line[index]!.length)))
  const lines = cells.map((line) =>
    line
      .map((cell, index) => cell.padEnd(widths[index]!))
      .join('  ')
      .trimEnd(),
  )
  await write(terminal, `${lines.join('\n')}\n`)
}
