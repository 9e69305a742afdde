import { run } from '../../src/commands/program.ts'
import { chunks, packageRoot } from './harness.ts'

interface Typed {
  cwd: string
  env: Record<string, string>
  input?: string
}

/** A command as it is typed, in this process: to start one for each takes longer than all else. */
export async function typed(args: readonly string[], { cwd, env, input = '' }: Typed) {
  const output = { stdout: '', stderr: '' }
  const to = (name: keyof typeof output) => ({
    write: (text: string | Uint8Array, done?: () => void) => {
      output[name] += text
      done?.()
      return true
    },
  })
  const unused = () => {
    throw new Error('this command does not serve')
  }
  const code = await run(args, {
    ...{ env, cwd, cores: 1, packageRoot, stdin: chunks(input) },
    ...{ stdout: to('stdout'), stderr: to('stderr'), clock: () => new Date(), now: Date.now },
    ...{ logStream: unused, onSignal: unused, exitWithin: unused },
  })
  return { code, ...output }
}
