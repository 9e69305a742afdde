import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { plainEnvironment } from './environment.ts'
import { pnpm } from './pnpm.ts'
import { runSync } from './run.ts'

export const git = (args: readonly string[], cwd: string, env: Record<string, string> = {}) =>
  runSync(['git', ...args], { cwd, env: { ...process.env, ...env } }).trim()

const author = ['-c', 'user.name=Saleproof', '-c', 'user.email=tests@example.com']

/** A commit of a working copy as it is, new files included, on no branch. */
export function snapshot(repository: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'saleproof-index-'))
  const index = { GIT_INDEX_FILE: join(folder, 'index') }
  try {
    git(['read-tree', 'HEAD'], repository, index)
    git(['add', '--all'], repository, index)
    const tree = git(['write-tree'], repository, index)
    if (tree === git(['rev-parse', 'HEAD^{tree}'], repository)) return 'HEAD'
    return git([...author, 'commit-tree', tree, '-p', 'HEAD', '-m', 'The working copy'], repository)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Clones a repository into a new folder, at a commit, a tag or a branch. */
export function clone(repository: string, { ref = 'HEAD', folder }: { ref?: string; folder: string }) {
  const commit = git(['rev-parse', `${ref}^{commit}`], repository)
  git(['clone', '--quiet', '--no-checkout', repository, folder], repository)
  git(['checkout', '--quiet', '--detach', commit], folder)
}

/** Runs pnpm in a clone without the environment of this repository. */
export const pnpmIn = (folder: string, args: readonly string[]) =>
  pnpm(args, {
    cwd: folder,
    env: { ...plainEnvironment(process.execPath), CI: 'true', DO_NOT_TRACK: '1' },
  })

export const install = (folder: string) =>
  pnpmIn(folder, ['install', '--frozen-lockfile', '--prefer-offline'])
