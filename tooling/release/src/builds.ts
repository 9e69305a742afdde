import { join } from 'node:path'
import { git, pnpmIn } from '@saleproof/process'
import { publishedNames } from './repository.ts'

const releasePrefix = '@saleproof/api@'

/** The tag of the newest release among the ancestors of a working copy. Pre-releases do not count. */
export function lastRelease(repository: string): string | undefined {
  const list = ['tag', '--list', `${releasePrefix}*`, '--merged', 'HEAD', '--sort=-version:refname']
  const tags = git(list, repository).split('\n')
  return tags.find((tag) => /^\d+\.\d+\.\d+$/.test(tag.slice(releasePrefix.length)))
}

/** What Turbo has kept of the builds of a repository: all of its worktrees share it. */
export const createBuilds = (repository: string) =>
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
