import { type ExecFileSyncOptions, execFileSync } from 'node:child_process'

interface PnpmOptions {
  cwd: string
  env?: Record<string, string | undefined>
  timeoutMs?: number
}

function execute(
  args: readonly string[],
  { cwd, env, timeoutMs = 600_000 }: PnpmOptions,
  output: 'ignore' | 'pipe',
) {
  const options: ExecFileSyncOptions = {
    cwd,
    env: env ?? process.env,
    stdio: ['ignore', output, 'pipe'],
    timeout: timeoutMs,
    maxBuffer: 1 << 26,
  }
  try {
    return execFileSync('pnpm', args, options)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    return execFileSync('npx', ['--prefer-offline', '-y', 'pnpm@12', ...args], options)
  }
}

/** Under a script of pnpm its binary is on the path; `npx` asks the registry first, which may take its time. */
export const runPnpm = (args: readonly string[], options: PnpmOptions) =>
  void execute(args, options, 'ignore')

/** What a command of pnpm prints. */
export const readPnpm = (args: readonly string[], options: PnpmOptions) =>
  String(execute(args, options, 'pipe'))
