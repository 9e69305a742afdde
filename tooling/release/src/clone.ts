import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { pnpm } from '@saleproof/pnpm'
import { plainEnvironment } from './environment.ts'
import { publishedNames } from './repository.ts'

export const git = (args: readonly string[], cwd: string) =>
  execFileSync('git', args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim()

/** Copies a repository, as committed at a tag, a branch or HEAD, into a new folder. */
export function clone(repository: string, { ref = 'HEAD', folder }: { ref?: string; folder: string }) {
  const commit = git(['rev-parse', `${ref}^{commit}`], repository)
  git(['clone', '--quiet', '--no-checkout', repository, folder], repository)
  git(['checkout', '--quiet', '--detach', commit], folder)
}

const releasePrefix = '@saleproof/api@'

/** The tag of the newest release among the ancestors of a working copy. Pre-releases do not count. */
export function lastRelease(repository: string): string | undefined {
  const list = ['tag', '--list', `${releasePrefix}*`, '--merged', 'HEAD', '--sort=-version:refname']
  const tags = git(list, repository).split('\n')
  return tags.find((tag) => /^\d+\.\d+\.\d+$/.test(tag.slice(releasePrefix.length)))
}

/** Runs pnpm in a clone without the environment of this repository. */
export const pnpmIn = (folder: string, args: readonly string[]) =>
  pnpm(args, {
    cwd: folder,
    env: { ...plainEnvironment(process.execPath), CI: 'true', DO_NOT_TRACK: '1' },
  })

export const install = (folder: string) => pnpmIn(folder, ['install', '--frozen-lockfile'])

/** What Turbo has kept of the builds of a repository: all of its worktrees share it. */
export const buildsOf = (repository: string) =>
  join(git(['rev-parse', '--path-format=absolute', '--git-common-dir'], repository), '../.turbo/cache')

/** Builds the published packages and their dependencies; what `kept` holds of the same sources is taken from there. */
export const build = (folder: string, kept = join(folder, '.turbo/cache')) =>
  pnpmIn(folder, [
    'exec',
    'turbo',
    'run',
    'build',
    `--cache-dir=${kept}`,
    ...publishedNames.map((name) => `--filter=${name}`),
  ])
