import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { plainEnvironment } from './environment.ts'

/** Installs tarballs with npm, as a user does. Scripts are off, because no package may need one. */
export function installTarballs(
  tarballs: readonly string[],
  { folder, node }: { folder: string; node: string },
) {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{ "private": true }')
  const flags = [
    '--prefer-offline',
    '--ignore-scripts',
    '--omit=dev',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
  ]
  execFileSync('npm', ['install', ...flags, ...tarballs], {
    cwd: folder,
    env: plainEnvironment(node),
    stdio: ['ignore', 'ignore', 'inherit'],
    timeout: 600_000,
  })
}

interface Installed {
  hasInstallScript?: boolean
}

/** The packages of npm's lockfile, by path. */
export function installedPackages(folder: string): Map<string, Installed> {
  const lockfile = readFileSync(join(folder, 'node_modules/.package-lock.json'), 'utf8')
  const { packages }: { packages: Record<string, Installed> } = JSON.parse(lockfile)
  const found = Object.entries(packages)
  return new Map(found.map(([path, entry]) => [path.replace(/^node_modules\//, ''), entry]))
}

/** The size of a folder in bytes, without following links. */
export const sizeOf = (folder: string) =>
  Number(execFileSync('du', ['-sb', folder], { encoding: 'utf8' }).split('\t')[0])
