import { type ExecFileSyncOptionsWithStringEncoding, execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
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
  pnpm(['pack', '--pack-gzip-level', '9', '--pack-destination', folder], { cwd: packageRoot })
  const { name, version } = JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8'))
  return join(folder, `${name.slice(1).replace('/', '-')}-${version}.tgz`)
}

/**
 * Installs packages that are too large for the workspace into the cache folder of the user, where other clones find them. Returns
 * the folder that holds `node_modules`. `overrides` are the versions of packages that the others depend on; `-` leaves one out.
 */
export function installInCache(
  name: string,
  dependencies: Readonly<Record<string, string>>,
  overrides: Readonly<Record<string, string>> = {},
): string {
  const manifest = JSON.stringify({ private: true, dependencies })
  // A workspace of its own; flat, because programs are run by their path in it. JSON is YAML too.
  const settings = JSON.stringify({ packages: [], nodeLinker: 'hoisted', trustLockfile: true, overrides })
  const version = createHash('sha256')
    .update(manifest + settings)
    .digest('hex')
    .slice(0, 12)
  const cache = process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache')
  const folder = join(cache, 'saleproof', `${name}-${version}`)
  if (existsSync(folder)) return folder
  const beside = `${folder}.${process.pid}`
  mkdirSync(beside, { recursive: true })
  writeFileSync(join(beside, 'package.json'), manifest)
  writeFileSync(join(beside, 'pnpm-workspace.yaml'), settings)
  // npm takes minutes to unpack as much as this, pnpm seconds.
  pnpm(['install', '--ignore-scripts', '--silent'], { cwd: beside })
  try {
    renameSync(beside, folder)
  } catch (error) {
    // Another run was faster.
    if (!existsSync(folder)) throw error
    rmSync(beside, { recursive: true })
  }
  return folder
}
