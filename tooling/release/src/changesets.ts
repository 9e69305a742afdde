import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export interface Changeset {
  file: string
  packages: readonly string[]
  /** What a user gets. */
  summary: string
}

/** The changes of a working copy that no release has yet. */
export function changesetsIn(root: string): Changeset[] {
  const folder = join(root, '.changeset')
  const files = existsSync(folder) ? readdirSync(folder).filter((file) => file.endsWith('.md')) : []
  return files.map((file) => {
    const text = readFileSync(join(folder, file), 'utf8')
    const [, head = '', body = ''] = /^---\n([\s\S]*?)\n---\n+([\s\S]*)$/.exec(text) ?? []
    const packages = [...head.matchAll(/^['"]?([^'":]+)['"]?:/gm)].map(([, name = '']) => name)
    return { file, packages, summary: body.split('\n')[0] ?? '' }
  })
}
