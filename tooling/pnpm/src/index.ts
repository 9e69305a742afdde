import { type ExecFileSyncOptionsWithStringEncoding, execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export interface PnpmOptions {
  cwd: string
  env?: Record<string, string | undefined>
  timeoutMs?: number
}

/** Runs pnpm to its end and returns its output. The error of a failed run has `stdout` and `stderr`. */
export function pnpm(args: readonly string[], { cwd, env, timeoutMs = 600_000 }: PnpmOptions): string {
  const options: ExecFileSyncOptionsWithStringEncoding = {
    cwd,
    env: env ?? process.env,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: timeoutMs,
    maxBuffer: 1 << 26,
  }
  try {
    // Scripts that pnpm starts have it on their path; npx asks the registry first, which takes time.
    return execFileSync('pnpm', args, options)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error
    return execFileSync('npx', ['--prefer-offline', '-y', 'pnpm@12', ...args], options)
  }
}

/** Packs a package as it is published; returns the path of the tarball. */
export function pack(packageRoot: string, folder: string): string {
  mkdirSync(folder, { recursive: true })
  pnpm(['pack', '--pack-destination', folder], { cwd: packageRoot })
  const { name, version } = JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8'))
  return join(folder, `${name.slice(1).replace('/', '-')}-${version}.tgz`)
}
