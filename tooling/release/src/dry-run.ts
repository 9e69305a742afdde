import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { clone, git, install, pnpmIn } from '@saleproof/process'
import { build, createBuilds } from './builds.ts'
import { packRelease, type Released, releaseProblems } from './release.ts'
import { root } from './repository.ts'
import { changesetsIn, readFrom } from './tarball.ts'

// Makes the next release in a copy of the last commit, up to publishing: versions, changelogs, builds, tarballs.

const { values } = parseArgs({ options: { repository: { type: 'string' } } })
const temporary = mkdtempSync(join(tmpdir(), 'saleproof-release-'))
const copy = join(temporary, 'copy')
const folder = join(import.meta.dirname, '../.cache/release')

/** Changesets that a changelog leaves out. */
const changelogProblems = (changesets: ReturnType<typeof changesetsIn>, released: readonly Released[]) =>
  released.flatMap(({ name, file }) => {
    const changelog = readFrom(join(folder, file), 'CHANGELOG.md')
    return changesets
      .filter(({ packages, summary }) => packages.includes(name) && !changelog.includes(summary))
      .map((changeset) => `${name}: its changelog leaves out ${changeset.file}`)
  })

try {
  if (git(['status', '--porcelain'], root)) console.error('uncommitted changes are left out')
  clone(root, { folder: copy })
  install(copy)
  const changesets = changesetsIn(copy)
  if (changesets.length) pnpmIn(copy, ['exec', 'changeset', 'version'])
  // What the versions do not change is not built again.
  build(copy, createBuilds(root))
  const released = packRelease({ root: copy, folder, repository: values.repository })
  const problems = [
    ...changesetsIn(copy).map(({ file }) => `${file} was left`),
    ...(await releaseProblems(released, { root: copy, folder })),
    ...changelogProblems(changesets, released),
  ]
  for (const { name, version, size, integrity } of released)
    console.log(`${name} ${version}  ${size} B  ${integrity}`)
  for (const problem of problems) console.error(problem)
  console.log(`${changesets.length} changes, ${problems.length} problems; in ${folder}`)
  process.exitCode = problems.length ? 1 : 0
} finally {
  rmSync(temporary, { recursive: true, force: true })
}
