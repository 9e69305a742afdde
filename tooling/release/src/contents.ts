import { existsSync, globSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
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

/** What publint finds, such as a file that a manifest names and that is not there, since the package was not built. */
export async function publintProblems(tarball: string) {
  const bytes = new Uint8Array(readFileSync(tarball)).buffer
  const { messages, pkg } = await publint({ pack: { tarball: bytes }, strict: true })
  return messages.map((message) => formatMessage(message, pkg) ?? message.code)
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
