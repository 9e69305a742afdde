import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { plainEnvironment } from './environment.ts'

/** Installs tarballs with npm into a folder, as a user does; without their scripts, for nothing may need one. */
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
  version: string
}

/** What npm wrote down about what it installed, by the path of each package. */
export function installedPackages(folder: string): Map<string, Installed> {
  const { packages } = JSON.parse(readFileSync(join(folder, 'node_modules/.package-lock.json'), 'utf8'))
  const found = Object.entries(packages as Record<string, Installed>)
  return new Map(found.map(([path, entry]) => [path.replace(/^node_modules\//, ''), entry]))
}

/** The bytes below a folder, links not followed. */
export const sizeOf = (folder: string) =>
  Number(execFileSync('du', ['-sb', folder], { encoding: 'utf8' }).split('\t')[0])
