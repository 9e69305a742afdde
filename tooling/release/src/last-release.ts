import { git } from './clone.ts'

const prefix = '@saleproof/api@'

/** The tag of the newest release that a working copy comes after, or that it is. */
export function lastRelease(repository: string): string | undefined {
  const tags = git(['tag', '--list', `${prefix}*`, '--merged', 'HEAD', '--sort=-version:refname'], repository)
  // What was published to be tried is no release that people upgrade from.
  return tags.split('\n').find((tag) => /^\d+\.\d+\.\d+$/.test(tag.slice(prefix.length)))
}
