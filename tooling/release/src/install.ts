import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { plainEnvironment, runSync } from '@saleproof/process'

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
  runSync(['npm', 'install', ...flags, ...tarballs], { cwd: folder, env: plainEnvironment(node) })
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
export const folderSize = (folder: string) =>
  Number(runSync(['du', '-sb', folder], { cwd: folder }).split('\t')[0])
