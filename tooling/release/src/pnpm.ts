import { type ExecFileSyncOptions, execFileSync } from 'node:child_process'

interface PnpmOptions {
  cwd: string
  env?: Record<string, string | undefined>
  timeoutMs?: number
}

/** Under a script of pnpm its binary is on the path; `npx` asks the registry first, which may take its time. */
export function runPnpm(args: readonly string[], { cwd, env, timeoutMs = 600_000 }: PnpmOptions) {
  const options: ExecFileSyncOptions = {
    cwd,
    env: env ?? process.env,
    stdio: ['ignore', 'ignore', 'pipe'],
    timeout: timeoutMs,
    maxBuffer: 1 << 26,
  }
  try {
    execFileSync('pnpm', args, options)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    execFileSync('npx', ['--prefer-offline', '-y', 'pnpm@12', ...args], options)
  }
}
