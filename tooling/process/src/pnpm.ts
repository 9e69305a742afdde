import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { type CommandOptions, runSync } from './run.ts'

const manifest = JSON.parse(readFileSync(join(import.meta.dirname, '../../../package.json'), 'utf8'))
const pinned = `pnpm@${manifest.devEngines.packageManager.version}`

/** Runs pnpm to its end, in the environment of this process by default, and returns its output. */
export function pnpm(args: readonly string[], { cwd, env = process.env }: CommandOptions): string {
  try {
    // Scripts that pnpm starts have it on their path; npx asks the registry first, which takes time.
    return runSync(['pnpm', ...args], { cwd, env })
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error
    return runSync(['npx', '--prefer-offline', '-y', pinned, ...args], { cwd, env })
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
