import { type ExecFileSyncOptions, execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'

const packageRoot = join(import.meta.dirname, '..')

// Under a script of pnpm its binary is on the path; `npx` asks the registry first, which may take its time.
function runPnpm(args: readonly string[]): void {
  const options: ExecFileSyncOptions = {
    cwd: packageRoot,
    stdio: ['ignore', 'ignore', 'pipe'],
    timeout: 60_000,
  }
  try {
    execFileSync('pnpm', args, options)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    execFileSync('npx', ['--prefer-offline', '-y', 'pnpm@12', ...args], options)
  }
}

/** Packs the package as it is published, into a folder that is emptied first; gives the path of the tarball. */
export function pack(folder = join(packageRoot, '.cache/packed')): string {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  runPnpm(['pack', '--pack-destination', folder])
  const tarball = readdirSync(folder).find((name) => name.endsWith('.tgz'))
  if (!tarball) throw new Error('pnpm pack made no tarball')
  return join(folder, tarball)
}

// With a folder as its argument it packs into it and prints the path.
if (import.meta.main) console.log(pack(process.argv[2]))
