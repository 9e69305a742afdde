import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pack, runSync } from '@saleproof/process'
import { type Published, published } from './repository.ts'

/** Packs a package of the working copy in `root` as it is published; returns the path of the tarball. */
export const packFrom = (root: string, name: Published, folder: string) =>
  pack(join(root, published[name]), folder)

const tar = (args: readonly string[]) => runSync(['tar', ...args], { cwd: '.' })

/** The files in a tarball, without the folder that npm puts them in. */
export const filesIn = (tarball: string): string[] =>
  tar(['-tzf', tarball])
    .split('\n')
    .filter((line) => line && !line.endsWith('/'))
    .map((line) => line.replace(/^package\//, ''))
    .sort()

export const readFrom = (tarball: string, file: string) => tar(['-xzOf', tarball, `package/${file}`])

interface Manifest {
  version: string
  private?: boolean
  dependencies?: Record<string, string>
  peerDependencies?: Record<string, string>
  scripts?: Record<string, string>
  bin?: unknown
  exports?: unknown
}

export const manifestIn = (tarball: string): Manifest => JSON.parse(readFrom(tarball, 'package.json'))

interface Changeset {
  file: string
  packages: readonly string[]
  /** Its first line. */
  summary: string
}

/** The unreleased changes of a working copy. */
export const changesetsIn = (root: string): Changeset[] =>
  globSync('.changeset/*.md', { cwd: root }).map((file) => {
    const text = readFileSync(join(root, file), 'utf8')
    const [, head = '', summary = ''] = /^---\n([\s\S]*?)\n---\n+(.*)/.exec(text) ?? []
    const packages = [...head.matchAll(/^['"]?([^'":]+)['"]?:/gm)].map(([, name = '']) => name)
    return { file, packages, summary }
  })
