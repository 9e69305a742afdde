import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'

const packageRoot = join(import.meta.dirname, '..')

/** Packs the package as it is published, into a folder that is emptied first; gives the path of the tarball. */
export function pack(folder = join(packageRoot, '.cache/packed')): string {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const args = ['pack', '--pack-destination', folder]
  // The pnpm that runs this script, where one does: npx may have to ask the network.
  const [command, first] = process.env.npm_config_user_agent?.startsWith('pnpm/')
    ? ['pnpm', []]
    : ['npx', ['-y', 'pnpm@12']]
  execFileSync(command, [...first, ...args], { cwd: packageRoot, stdio: ['ignore', 'ignore', 'pipe'] })
  const tarball = readdirSync(folder).find((name) => name.endsWith('.tgz'))
  if (!tarball) throw new Error('pnpm pack made no tarball')
  return join(folder, tarball)
}

// With a folder as its argument it packs into it and prints the path.
if (import.meta.main) console.log(pack(process.argv[2]))
