import { type ChildProcess, spawn } from 'node:child_process'

export interface CommandOptions {
  cwd: string
  env?: Record<string, string>
  /** User and group to run as; only root can choose. */
  uid?: number
  gid?: number
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

/** Nothing of this process's environment but where programs are. */
function start([file, ...args]: readonly [string, ...string[]], { cwd, env = {}, uid, gid }: CommandOptions) {
  const { PATH = '' } = process.env
  const child = spawn(file, args, {
    cwd,
    env: { PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(uid !== undefined && { uid }),
    ...(gid !== undefined && { gid }),
  })
  return { child, ...collect(child) }
}

/** Runs a command to its end. */
export const run = (command: readonly [string, ...string[]], options: CommandOptions) =>
  start(command, options).done

/** Starts a command that serves, and waits until it says where. */
export async function serve(command: readonly [string, ...string[]], options: CommandOptions) {
  const { child, output, done } = start(command, options)
  const url = await new Promise<string>((resolve, reject) => {
    child.on('error', reject)
    child.stderr!.on('data', () => {
      const found = /listening on (http:\/\/\S+)/.exec(output.stderr)
      if (found) resolve(found[1]!)
    })
    child.on('close', (code) => reject(new Error(`exit ${code}: ${output.stderr}`)))
  })
  return {
    url,
    output,
    pid: child.pid!,
    /** Asks it to stop, and gives its exit code. */
    async stop() {
      child.kill('SIGTERM')
      return (await done).code
    },
  }
}
