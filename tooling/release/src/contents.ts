import { existsSync, globSync } from 'node:fs'
import { join } from 'node:path'
import { filesIn, manifestIn, readFrom } from './tarball.ts'

/** What the service reads beside its code, or a deployer looks for: folders that are in the package as they are here. */
const wholeFolders = ['deploy', 'docs', 'prisma/migrations*', 'dist/viewer']

/** Built by other packages; in the tarball where they are in the repository. */
const builtFolders = [{ source: 'apps/console', files: ['dist/console/index.html'] }]

const single = ['LICENSE', 'README.md', 'bin/saleproof.js', 'dist/main.mjs', 'dist/third-party-licences.txt']

// Sources, maps and what was generated are of no use to whoever runs the service.
const unwanted = /\.(ts|map|tsbuildinfo)$|(^|\/)(src|test|scripts|node_modules|\.env)\/|\.(db|secret)$/

const foreign = /^(workspace|catalog|link|file|portal|npm):/

/** What is wrong with the dependencies of a package that strangers install. */
export function dependencyProblems(tarball: string): string[] {
  const { version, private: isPrivate, scripts = {}, ...manifest } = manifestIn(tarball)
  const all = { ...manifest.dependencies, ...manifest.peerDependencies }
  const problems = Object.entries(all).flatMap(([name, range]) => {
    if (foreign.test(range)) return [`${name} is asked for as ${range}`]
    return name.startsWith('@saleproof/') && range !== version ? [`${name} ${range} beside ${version}`] : []
  })
  if (isPrivate) problems.push('it is private')
  const lifecycle = ['preinstall', 'install', 'postinstall', 'prepare'].filter((name) => name in scripts)
  return [...problems, ...lifecycle.map((name) => `it runs a script at ${name}`)]
}

/** What is missing in the packed service, or should not be in it. */
export function contentProblems(tarball: string, { root }: { root: string }): string[] {
  const files = filesIn(tarball)
  const api = join(root, 'apps/api')
  const expected = [
    ...single,
    ...wholeFolders.flatMap((folder) =>
      globSync(`${folder}/**/*`, { cwd: api, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map(({ parentPath, name }) => join(parentPath, name).slice(api.length + 1)),
    ),
    ...builtFolders.flatMap(({ source, files }) =>
      existsSync(join(root, source, 'package.json')) ? files : [],
    ),
  ]
  const imported = [
    ...readFrom(tarball, 'dist/main.mjs').matchAll(/(?:from|import\() ?["'](\.\/[^"']+)["']/g),
  ]
  const chunks = imported.map(([, path = '']) => join('dist', path))
  return [
    ...[...expected, ...chunks].filter((file) => !files.includes(file)).map((file) => `${file} is missing`),
    ...files.filter((file) => unwanted.test(file)).map((file) => `${file} does not belong there`),
    ...dependencyProblems(tarball),
  ]
}
