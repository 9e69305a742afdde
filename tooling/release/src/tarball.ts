import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { pack } from '@saleproof/pnpm'
import { type Published, published } from './repository.ts'

/** Packs a package of the working copy in `root` as it is published; returns the path of the tarball. */
export const packFrom = (root: string, name: Published, folder: string) =>
  pack(join(root, published[name]), folder)

const tar = (args: readonly string[]) => execFileSync('tar', args, { encoding: 'utf8', maxBuffer: 1 << 26 })

/** The files in a tarball, without the folder that npm puts them in. */
export const filesIn = (tarball: string): string[] =>
  tar(['-tzf', tarball])
    .split('\n')
    .filter((line) => line && !line.endsWith('/'))
    .map((line) => line.replace(/^package\//, ''))
    .sort()

export const readFrom = (tarball: string, file: string) => tar(['-xzOf', tarball, `package/${file}`])

export interface Manifest {
  name: string
  version: string
  private?: boolean
  dependencies?: Record<string, string>
  peerDependencies?: Record<string, string>
  scripts?: Record<string, string>
}

export const manifestIn = (tarball: string): Manifest => JSON.parse(readFrom(tarball, 'package.json'))
