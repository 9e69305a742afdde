import { execFileSync } from 'node:child_process'
import { pnpm } from '@saleproof/pnpm'
import { plainEnvironment } from './environment.ts'
import { publishedNames } from './repository.ts'

export const git = (args: readonly string[], cwd: string) =>
  execFileSync('git', args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim()

/** A repository as it was committed at a tag, a branch or HEAD, in a folder of its own. */
export function clone(repository: string, { ref = 'HEAD', folder }: { ref?: string; folder: string }) {
  const commit = git(['rev-parse', `${ref}^{commit}`], repository)
  git(['clone', '--quiet', '--no-checkout', repository, folder], repository)
  git(['checkout', '--quiet', '--detach', commit], folder)
}

/** pnpm in a clone, which knows nothing of the repository that this runs in. */
export const pnpmIn = (folder: string, args: readonly string[]) =>
  pnpm(args, {
    cwd: folder,
    env: { ...plainEnvironment(process.execPath), CI: 'true', DO_NOT_TRACK: '1' },
  })

/** Installs what the lockfile says. */
export const install = (folder: string) => pnpmIn(folder, ['install', '--frozen-lockfile'])

/** Builds what is published, and what that is made of. */
export const build = (folder: string) =>
  pnpmIn(folder, ['exec', 'turbo', 'run', 'build', ...publishedNames.map((name) => `--filter=${name}`)])
