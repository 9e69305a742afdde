import type { Readable } from 'node:stream'
import { InvalidArgumentError } from 'commander'
import type { Environment } from '../config.ts'
import { errorCode } from '../error-code.ts'

interface Output {
  write(text: string | Uint8Array, done?: (error?: Error | null) => void): boolean
  isTTY?: boolean
}

/** Everything a command uses of the process that runs it. */
export interface Terminal {
  env: Environment
  /** Relative paths start here. */
  cwd: string
  cores: number
  /** The folder of this package, which contains the migrations. */
  packageRoot: string
  stdin: Readable & { isTTY?: boolean }
  stdout: Output
  stderr: Output
  clock: () => Date
  /** The clock in milliseconds since 1970: creating a `Date` for every request is too slow. */
  now: () => number
  /** Where a service logs. */
  logStream: { write(line: string): void; flush(): void }
  onSignal: (listener: () => void) => void
  /** Ends the process after this time, whatever it still waits for. */
  exitWithin: (milliseconds: number) => void
}

/** Ends a command with a message for the user and an exit code for the shell. */
export class CommandError extends Error {
  readonly exitCode: 1 | 2

  constructor(message: string, exitCode: 1 | 2 = 1) {
    super(message)
    this.name = 'CommandError'
    this.exitCode = exitCode
  }
}

/** Prints a message to standard error: standard output is for results. */
export const say = (terminal: Terminal, text: string) => void terminal.stderr.write(`${text}\n`)

/** Says where something that was removed from some tables still is. */
export function sayWhatStays(terminal: Terminal, kind: 'sqlite' | 'postgresql', tables: readonly string[]) {
  if (kind === 'postgresql')
    say(
      terminal,
      `its bytes stay in the files of the server until their space is used again: VACUUM FULL ${tables.map((name) => `"${name}"`).join(', ')} erases them when no older transaction is open, while validations wait`,
    )
  say(terminal, 'older backups, exports and copies of the database still contain it')
}

/** Writes a part of the result and waits for a slow reader. When the reader has gone, as `head` does, the command ends. */
export const write = (terminal: Terminal, text: string | Uint8Array) =>
  new Promise<void>((resolve, reject) => {
    terminal.stdout.write(text, (error) => {
      if (!error) return resolve()
      const code = errorCode(error)
      reject(new CommandError(code === 'EPIPE' ? '' : `the result could not be written (${code})`))
    })
  })

/** Parses an option that takes a count. */
export function countOption(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('It takes a number from 1 to 999999999.')
  return Number(text)
}

/** Parses an option or argument that takes the id of an item. */
export function itemIdOption(text: string): number {
  const id = /^[1-9]\d{0,15}$/.test(text) ? Number(text) : Number.NaN
  if (!Number.isSafeInteger(id)) throw new InvalidArgumentError('It takes the id of an item, such as 101.')
  return id
}

/** Reads a stream to its end; undefined if it is longer than `maxLength` bytes. */
export async function readAll(source: Readable, maxLength: number): Promise<Buffer | undefined> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of source) {
    chunks.push(Buffer.from(chunk))
    length += chunk.length
    if (length > maxLength) return undefined
  }
  return Buffer.concat(chunks)
}

/** Writes rows as a table for people, or as JSON for programs. */
export async function writeTable<Column extends string>(
  terminal: Terminal,
  rows: readonly Readonly<Record<Column, unknown>>[],
  { json, columns }: { json: boolean; columns: readonly Column[] },
) {
  if (json) return write(terminal, `${JSON.stringify(rows, null, 2)}\n`)
  const heads = columns.map((column) => column.replaceAll('_', ' '))
  const lines = [heads, ...rows.map((row) => columns.map((column) => String(row[column] ?? '–')))]
  const widths = columns.map((_, index) => Math.max(...lines.map((line) => line[index]?.length ?? 0)))
  const text = lines.map((line) =>
    line
      .map((cell, index) => cell.padEnd(widths[index] ?? 0))
      .join('  ')
      .trimEnd(),
  )
  await write(terminal, `${text.join('\n')}\n`)
}
