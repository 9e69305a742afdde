import { x, xSync } from 'tinyexec'

export interface CommandOptions {
  cwd: string
  /** The command gets `PATH` alone of this process's environment. */
  env?: Readonly<Record<string, string | undefined>>
  /** Whether it gets a process group of its own, so that an interrupt reaches all of it, as Ctrl-C in a terminal does. */
  group?: boolean
}

export type Command = readonly [string, ...string[]]

/** tinyexec adds the variables of this process, but for those that are undefined. */
function only(env: CommandOptions['env']) {
  const others = Object.fromEntries(Object.keys(process.env).map((name) => [name, undefined]))
  return { ...others, PATH: process.env.PATH, ...env }
}

/** Runs a command to its end and returns its output. The error of a failed one has it as `output`. */
export const runSync = ([file, ...args]: Command, { cwd, env }: CommandOptions): string =>
  xSync(file, args, {
    nodePath: false,
    timeout: 600_000,
    throwOnError: true,
    nodeOptions: { cwd, env: only(env), stdio: ['ignore', 'pipe', 'pipe'], maxBuffer: 1 << 26 },
  }).stdout

export function start([file, ...args]: Command, { cwd, env, group = false }: CommandOptions) {
  const child = x(file, args, {
    nodePath: false,
    nodeOptions: { cwd, env: only(env), stdio: ['ignore', 'pipe', 'pipe'], detached: group },
  })
  const output = { stderr: '' }
  child.process?.stderr?.on('data', (chunk) => {
    output.stderr += chunk
  })
  const done = child.then(({ exitCode, stdout, stderr }) => ({ code: exitCode ?? null, stdout, stderr }))
  return {
    output,
    done,
    /** Waits for a line of standard error; returns its first group. */
    until: (pattern: RegExp) =>
      new Promise<string>((resolve, reject) => {
        const check = () => {
          const found = pattern.exec(output.stderr)
          if (found) resolve(found[1] ?? found[0])
        }
        child.process?.stderr?.on('data', check)
        check()
        done.then(({ code, stderr }) => reject(new Error(`${file} ended with ${code}: ${stderr}`)), reject)
      }),
    async interrupt() {
      process.kill(-child.pid!, 'SIGINT')
      await done
    },
    /** Sends SIGTERM and returns the exit code. */
    async stop() {
      child.kill('SIGTERM')
      return (await done).code
    },
  }
}

/** Runs a command to its end, whatever its exit code. */
export const run = (command: Command, options: CommandOptions) => start(command, options).done

/** Starts a command that serves, and waits until it prints its address. */
export async function serve(command: Command, options: CommandOptions) {
  const { output, until, stop } = start(command, options)
  return { url: await until(/listening on (http:\/\/\S+)/), output, stop }
}
