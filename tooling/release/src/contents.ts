import { existsSync, globSync } from 'node:fs'
import { join, matchesGlob, relative } from 'node:path'
import { filesIn, manifestIn, readFrom } from './tarball.ts'

/** Folders of apps/api that are published whole. */
const folders = ['deploy', 'docs', 'prisma/migrations*']
const files = ['LICENSE', 'README.md', 'bin/saleproof.js', 'dist/main.mjs', 'dist/third-party-licenses.txt']

/** What builds the image, and needs the whole repository for it. */
const forRepository = /^deploy\/(?:Dockerfile|compose\.\w+)$/

// Sources, maps and generated files are of no use to an operator.
const unwanted = /\.(ts|map|tsbuildinfo)$|(^|\/)(src|test|scripts|node_modules|\.env)\/|\.(db|secret)$/

const unpublishable = /^(workspace|catalog|link|file|portal|npm):/

/** What is wrong with the dependencies and scripts of a published package. */
export function dependencyProblems(tarball: string): string[] {
  const { version, private: isPrivate, scripts = {}, dependencies, peerDependencies } = manifestIn(tarball)
  const ranges = Object.entries({ ...dependencies, ...peerDependencies })
  const lifecycle = ['preinstall', 'install', 'postinstall', 'prepare']
  return [
    ...ranges.filter(([, range]) => unpublishable.test(range)).map(([name, range]) => `${name} is ${range}`),
    ...ranges
      .filter(
        ([name, range]) => name.startsWith('@saleproof/') && !unpublishable.test(range) && range !== version,
      )
      .map(([name, range]) => `${name} ${range} beside ${version}`),
    ...(isPrivate ? ['it is private'] : []),
    ...lifecycle.filter((name) => name in scripts).map((name) => `it runs a script at ${name}`),
  ]
}

/** The files that a field of a manifest names, such as `exports` or `bin`, at any depth. */
function filesNamedBy(value: unknown): string[] {
  if (typeof value === 'string') return [value.replace(/^\.\//, '')]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(filesNamedBy) : []
}

/** What a packed package names as its own and does not have, since it was not built. */
export function entryProblems(tarball: string): string[] {
  const { bin, exports } = manifestIn(tarball)
  const packed = filesIn(tarball)
  const isPacked = (named: string) => packed.some((file) => matchesGlob(file, named))
  const missing = [...filesNamedBy(bin), ...filesNamedBy(exports)].filter((named) => !isPacked(named))
  return missing.map((named) => `${named} is missing: build the package first`)
}

/** What is missing in the packed service, or does not belong there. */
export function contentProblems(tarball: string, { root }: { root: string }): string[] {
  const packed = filesIn(tarball)
  const api = join(root, 'apps/api')
  const published = globSync(
    folders.map((folder) => `${folder}/**/*`),
    { cwd: api, withFileTypes: true },
  )
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(api, join(parentPath, name)))
    .filter((file) => !forRepository.test(file))
  const hasConsole = existsSync(join(root, 'apps/console/package.json'))
  const console = hasConsole ? ['dist/console/index.html', 'dist/console/docs.html'] : []
  const main = packed.includes('dist/main.mjs') ? readFrom(tarball, 'dist/main.mjs') : ''
  const chunks = [...main.matchAll(/(?:from|import\() ?["'](\.\/[^"']+)["']/g)]
  const expected = [...files, ...published, ...console, ...chunks.map(([, path = '']) => join('dist', path))]
  return [
    ...expected.filter((file) => !packed.includes(file)).map((file) => `${file} is missing`),
    ...packed
      .filter((file) => unwanted.test(file) || forRepository.test(file))
      .map((file) => `${file} does not belong there`),
    ...dependencyProblems(tarball),
  ]
}
