import { Readable } from 'node:stream'
import { run } from '../../src/commands/program.ts'
import type { Terminal } from '../../src/commands/terminal.ts'
import { environmentIn } from './database.ts'
import { packageRoot } from './folders.ts'

interface CommandOptions {
  /** What relative paths are relative to: the database is made below it. */
  cwd: string
  env?: Record<string, string> | undefined
  input?: string | Buffer | AsyncIterable<Buffer> | undefined
  /** Gets what the command says on a terminal. */
  onTerminal?: (text: string) => undefined
  /** Whether `env` alone names the database, not the folder. */
  elsewhere?: boolean
}

/** The terminal of a command that runs in this process. */
async function createTerminal(options: CommandOptions) {
  const { cwd, env = {}, input = '', onTerminal, elsewhere = false } = options
  const output = { stdout: '', stderr: '' }
  const listeners: (() => void)[] = []
  const append = (name: keyof typeof output) => ({
    write(text: string | Uint8Array, done?: () => void) {
      output[name] += typeof text === 'string' ? text : Buffer.from(text).toString()
      done?.()
      return true
    },
  })
  const terminal: Terminal = {
    env: { ...(!elsewhere && (await environmentIn(cwd))), ...env },
    cwd,
    cores: 1,
    packageRoot,
    stdin: Readable.from(typeof input === 'string' || Buffer.isBuffer(input) ? [Buffer.from(input)] : input),
    stdout: append('stdout'),
    stderr: onTerminal ? { isTTY: true, write: (text) => !onTerminal(String(text)) } : append('stderr'),
    clock: () => new Date(),
    now: Date.now,
    logStream: {
      write: (line) => void append('stdout').write(line),
      flush: () => {},
    },
    onSignal: (listener) => void listeners.push(listener),
    exitWithin: () => {},
  }
  function signal() {
    for (const listener of listeners) listener()
  }
  return { terminal, output, signal }
}

/** Runs a command in this process: a process for each would take longer than all else. */
export async function saleproof(args: readonly string[], options: CommandOptions) {
  const { terminal, output } = await createTerminal(options)
  return { code: await run(args, terminal), ...output }
}

/** Starts `serve` in this process and waits until it listens. */
export async function serve(options: CommandOptions, args: readonly string[] = []) {
  const { terminal, output, signal } = await createTerminal({
    ...options,
    env: { PORT: '0', WEB_CONCURRENCY: '1', ...options.env },
  })
  let listening: (url: string) => void
  const address = new Promise<string>((resolve) => {
    listening = resolve
  })
  const { write } = terminal.stderr
  terminal.stderr.write = (text, done) => {
    const written = write(text, done)
    const found = /listening on (http:\/\/\S+)/.exec(output.stderr)
    if (found) listening(found[1]!)
    return written
  }
  const done = run(['serve', ...args], terminal)
  const failed = done.then((code) => {
    throw new Error(`exit ${code}: ${output.stderr}`)
  })
  const url = await Promise.race([address, failed])
  failed.catch(() => {})
  return {
    url,
    output,
    /** Ends it, as SIGTERM would; gives its exit code. */
    stop() {
      signal()
      return done
    },
  }
}
