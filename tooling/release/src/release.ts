import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { contentProblems, dependencyProblems, publintProblems } from './contents.ts'
import { type Published, published, publishedNames } from './repository.ts'
import { licenseProblems, sbomBeside, writeSbom } from './sbom.ts'
import { filesIn, manifestIn, packFrom, readFrom } from './tarball.ts'

export interface Released {
  name: Published
  version: string
  file: string
  size: number
  /** As in npm's lockfile. */
  integrity: string
}

interface ReleaseOptions {
  /** A built working copy. */
  root: string
  /** Emptied first. */
  folder: string
  /** For the provenance: npm compares it with the publisher. */
  repository: string | undefined
}

function setRepository(root: string, repository: string) {
  for (const directory of Object.values(published)) {
    const file = join(root, directory, 'package.json')
    const manifest = JSON.parse(readFileSync(file, 'utf8'))
    manifest.repository = { type: 'git', url: `git+${repository}.git`, directory }
    writeFileSync(file, `${JSON.stringify(manifest, null, 2)}\n`)
  }
}

const hashIntegrity = (bytes: Buffer) => `sha512-${createHash('sha512').update(bytes).digest('base64')}`

function describeTarball(name: Published, tarball: string): Released {
  const bytes = readFileSync(tarball)
  const { version } = manifestIn(tarball)
  return { name, version, file: basename(tarball), size: bytes.length, integrity: hashIntegrity(bytes) }
}

/** Packs every published package into a folder, with its bill of materials. */
export function packRelease({ root, folder, repository }: ReleaseOptions): Released[] {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  if (repository) setRepository(root, repository)
  const released = publishedNames.map((name) => {
    const tarball = packFrom(root, name, folder)
    writeSbom(name, { root, tarball })
    return describeTarball(name, tarball)
  })
  writeFileSync(join(folder, 'release.json'), `${JSON.stringify(released, null, 2)}\n`)
  return released
}

/** Reasons not to publish. */
export async function releaseProblems(
  released: readonly Released[],
  { root, folder }: { root: string; folder: string },
): Promise<string[]> {
  // The service and its contract share a version; the SDK has its own.
  const together = released.filter(({ name }) => name !== '@saleproof/sdk')
  const versions = new Set(together.map(({ version }) => version))
  const problems = versions.size === 1 ? [] : [`versions differ: ${[...versions].join(', ')}`]
  for (const { name, version, file } of released) {
    const tarball = join(folder, file)
    const files = filesIn(tarball)
    const missing = ['README.md', 'LICENSE', 'CHANGELOG.md'].filter((required) => !files.includes(required))
    const changelog = files.includes('CHANGELOG.md') ? readFrom(tarball, 'CHANGELOG.md') : ''
    const found = [
      ...(name === '@saleproof/api' ? contentProblems(tarball, { root }) : dependencyProblems(tarball)),
      ...(await publintProblems(tarball)),
      ...missing.map((required) => `${required} is missing`),
      ...(changelog.includes(`## ${version}`) ? [] : [`CHANGELOG.md does not mention ${version}`]),
      ...licenseProblems(JSON.parse(readFileSync(sbomBeside(tarball), 'utf8'))),
    ]
    problems.push(...found.map((problem) => `${name}: ${problem}`))
  }
  return problems
}
