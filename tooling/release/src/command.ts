import { spawn } from 'node:child_process'

export interface CommandOptions {
  cwd: string
  env?: Record<string, string>
}

type Command = readonly [string, ...string[]]

/** Starts a command with `PATH` as the only variable of this process's environment. */
function start([file, ...args]: Command, { cwd, env = {} }: CommandOptions) {
  const { PATH = '' } = process.env
  const child = spawn(file, args, { cwd, env: { PATH, ...env }, stdio: ['ignore', 'pipe', 'pipe'] })
  const output = { stdout: '', stderr: '' }
  child.stdout.setEncoding('utf8').on('data', (text) => {
    output.stdout += text
  })
  child.stderr.setEncoding('utf8').on('data', (text) => {
    output.stderr += text
  })
  const done = new Promise<{ code: number | null; stdout: string; stderr: string }>((resolve) =>
    child.on('close', (code) => resolve({ code, ...output })),
  )
  return { child, output, done }
}

/** Runs a command to its end. */
export const run = (command: Command, options: CommandOptions) => start(command, options).done

/** Starts a command that serves, and waits until it prints its address. */
export async function serve(command: Command, options: CommandOptions) {
  const { child, output, done } = start(command, options)
  const url = await new Promise<string>((resolve, reject) => {
    child.on('error', reject)
    child.stderr.on('data', () => {
      const [, address] = /listening on (http:\/\/\S+)/.exec(output.stderr) ?? []
      if (address) resolve(address)
    })
    child.on('close', (code) => reject(new Error(`exit ${code}: ${output.stderr}`)))
  })
  return {
    url,
    output,
    /** Sends SIGTERM and returns the exit code. */
    async stop() {
      child.kill('SIGTERM')
      return (await done).code
    },
  }
}
