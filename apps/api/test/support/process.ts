import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { join } from 'node:path'
import { environmentIn } from './database.ts'
import { packageRoot } from './folders.ts'

export interface CommandOptions {
  /** What relative paths are relative to: the database is made below it. */
  cwd: string
  env?: Record<string, string>
  input?: string
  /** As a user whom permissions stop: they do not stop root. */
  ordinary?: boolean
  /** A program and its arguments that the command is run by, and that becomes it. */
  within?: readonly string[]
}

/** What was compiled once is not compiled by each of the hundreds of commands that the tests run. */
export const compiled = { NODE_COMPILE_CACHE: join(packageRoot, 'node_modules/.cache/compiled') }

const withoutPrivileges = ['setpriv', '--bounding-set=-dac_override,-dac_read_search,-net_bind_service']

async function start(args: readonly string[], { cwd, env = {}, ordinary, within = [] }: CommandOptions) {
  const before = ordinary && process.getuid?.() === 0 ? withoutPrivileges : []
  const entry = join(packageRoot, 'bin/saleproof.js')
  // Nothing of this process's environment but where programs are: a variable of the machine must not decide a test.
  const { PATH = '', TMPDIR = '' } = process.env
  const [program = '', ...rest] = [...within, ...before, process.execPath, entry, ...args]
  return spawn(program, rest, {
    cwd,
    env: { PATH, ...compiled, ...(TMPDIR && { TMPDIR }), ...(await environmentIn(cwd)), ...env },
  })
}

function collect(child: ChildProcess) {
  const output = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const) {
    child[name]!.setEncoding('utf8').on('data', (text) => {
      output[name] += text
    })
  }
  const done = new Promise<{ code: number | null; stdout: string; stderr: string }>((resolve) =>
    child.on('close', (code) => resolve({ code, ...output })),
  )
  return { output, done }
}

/** Runs a command whose result is read no further than its first piece; gives its exit code and what it says beside. */
export async function readBeginning(args: readonly string[], options: CommandOptions) {
  const child = await start(args, options)
  child.stdin!.end()
  child.stdout!.once('data', () => child.stdout!.destroy())
  const { done } = collect(child)
  return done
}

/** Starts a command. */
export async function spawnCommand(args: readonly string[], options: CommandOptions) {
  const child = await start(args, options)
  // A command that fails early does not read all of it.
  child.stdin!.on('error', () => {})
  child.stdin!.end(options.input ?? '')
  return { pid: child.pid!, done: collect(child).done }
}

/** Runs a command to its end. */
export const spawnSaleproof = async (args: readonly string[], options: CommandOptions) =>
  (await spawnCommand(args, options)).done

/** Starts `serve` and waits until it listens. */
export async function spawnServe(options: CommandOptions, args: readonly string[] = []) {
  const child = await start(['serve', ...args], {
    ...options,
    env: { PORT: '0', WEB_CONCURRENCY: '1', ...options.env },
  })
  const { output, done } = collect(child)
  const url = await new Promise<string>((resolve, reject) => {
    child.stderr!.on('data', () => {
      const found = /listening on (http:\/\/\S+)/.exec(output.stderr)
      if (found) resolve(found[1]!)
    })
    child.on('exit', (code) => reject(new Error(`exit ${code}: ${output.stderr}`)))
  })
  const signal = (name: NodeJS.Signals) => child.kill(name)
  /** Reads no more of its log; then `done` waits for ever, and this gives its exit code. */
  function stopReading() {
    child.stdout!.pause()
    return new Promise<number | null>((resolve) => child.once('exit', resolve))
  }
  /** The reader of its output is gone: a log, a terminal. */
  function closeOutputs() {
    child.stdout!.destroy()
    child.stderr!.destroy()
  }
  return { url, output, done, pid: child.pid!, signal, stopReading, closeOutputs }
}

/** The processes that a process has started, in their order; none where there is no such process any more. */
export function workersOf(pid: number): number[] {
  try {
    const listed = execFileSync('ps', ['-o', 'pid=', '--ppid', String(pid)], { encoding: 'utf8' })
    return listed.trim().split(/\s+/).map(Number)
  } catch {
    return []
  }
}
