import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { runPnpm } from './pnpm.ts'
import { type Published, published } from './repository.ts'

/** Packs a package of the repository below `root` as it is published; gives the path of the tarball. */
export function pack(name: Published, { root, folder }: { root: string; folder: string }): string {
  const destination = join(folder, name.replace('/', '-'))
  mkdirSync(destination, { recursive: true })
  runPnpm(['pack', '--pack-destination', destination], { cwd: join(root, published[name]) })
  const tarball = readdirSync(destination).find((file) => file.endsWith('.tgz'))
  if (!tarball) throw new Error(`pnpm pack made no tarball of ${name}`)
  return join(destination, tarball)
}

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
