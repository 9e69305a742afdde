import { execFileSync } from 'node:child_process'
import { globSync, lstatSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** npm's own settings may hold for the machine; those of the package manager that runs this do not hold for a user. */
export function plainEnvironment(): Record<string, string | undefined> {
  const own = Object.entries(process.env).filter(
    ([name]) =>
      !/^(npm_(?!config_(globalconfig|registry|cafile|userconfig))|pnpm_|INIT_CWD|NODE_ENV|VITEST)/i.test(
        name,
      ),
  )
  return Object.fromEntries(own)
}

/** Installs tarballs with npm into a folder, as a user does; without their scripts, for nothing may need one. */
export function installTarballs(folder: string, tarballs: readonly string[]) {
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
    env: plainEnvironment(),
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

/** The bytes of all files below a folder. */
export const sizeOf = (folder: string) =>
  globSync('**/*', { cwd: folder, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + lstatSync(join(parentPath, name)).size, 0)
