import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Ignore } from '@balena/dockerignore'

// A CommonJS module whose types say that it is none.
const dockerignore: () => Ignore = createRequire(import.meta.url)('@balena/dockerignore')

/** The files of a folder that an engine would be sent: all but those that its .dockerignore names. */
export function filesOfContext(context: string): string[] {
  const ignored = dockerignore().add(readFileSync(join(context, '.dockerignore'), 'utf8'))
  const below = (folder: string): string[] =>
    readdirSync(join(context, folder), { withFileTypes: true }).flatMap((entry) => {
      const path = join(folder, entry.name)
      if (ignored.ignores(path)) return []
      return entry.isDirectory() ? below(path) : [path]
    })
  return below('')
}
