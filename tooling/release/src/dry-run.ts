import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { changesetsIn } from './changesets.ts'
import { build, clone, git, install, pnpmIn } from './clone.ts'
import { run } from './command.ts'
import { installTarballs } from './install.ts'
import { packRelease, type Released, releaseProblems } from './release.ts'
import { type Published, root } from './repository.ts'
import { readFrom } from './tarball.ts'

// Makes the next release of what is committed, in a copy, up to where it would be published: versions, changelogs, builds, tarballs.

/** What the changelogs leave out of what the changesets say. */
function changelogProblems(
  changesets: ReturnType<typeof changesetsIn>,
  released: readonly Released[],
  folder: string,
) {
  const changelogs = new Map<string, string>(
    released.map(({ name, file }) => [name, readFrom(join(folder, file), 'CHANGELOG.md')]),
  )
  return changesets.flatMap(({ file, packages, summary }) =>
    packages
      .filter((name) => !changelogs.get(name)?.includes(summary))
      .map((name) => `${name}: its changelog leaves out ${file}`),
  )
}

/** Whether what was packed runs where only the tarballs are. */
async function runProblems(released: readonly Released[], folder: string, empty: string) {
  const needed: readonly Published[] = ['@saleproof/schema', '@saleproof/api']
  const tarballs = released.filter(({ name }) => needed.includes(name))
  installTarballs(
    tarballs.map(({ file }) => join(folder, file)),
    { folder: empty, node: process.execPath },
  )
  const command = join(empty, 'node_modules/@saleproof/api/bin/saleproof.js')
  const { code, stdout, stderr } = await run([process.execPath, command, '--version'], { cwd: empty })
  const [{ version } = { version: '' }] = released
  return code === 0 && stdout.trim() === version ? [] : [`the installed command says ${stdout}${stderr}`]
}

const { values } = parseArgs({ options: { repository: { type: 'string' } } })
const workplace = mkdtempSync(join(tmpdir(), 'saleproof-release-'))
const copy = join(workplace, 'copy')
const folder = join(import.meta.dirname, '../.cache/release')
try {
  if (git(['status', '--porcelain'], root)) console.error('what is not committed is not in it')
  clone(root, { folder: copy })
  install(copy)
  const changesets = changesetsIn(copy)
  if (changesets.length) pnpmIn(copy, ['exec', 'changeset', 'version'])
  build(copy)
  const released = packRelease({ root: copy, folder, repository: values.repository })
  const problems = [
    ...changesetsIn(copy).map(({ file }) => `${file} was left`),
    ...releaseProblems(released, { root: copy, folder }),
    ...changelogProblems(changesets, released, folder),
    ...(await runProblems(released, folder, join(workplace, 'empty'))),
  ]
  for (const { name, version, size, integrity } of released)
    console.log(`${name} ${version}  ${size} B  ${integrity}`)
  console.log(`${changesets.length} changes, ${problems.length} problems; in ${folder}`)
  for (const problem of problems) console.error(problem)
  process.exitCode = problems.length ? 1 : 0
} finally {
  rmSync(workplace, { recursive: true, force: true })
}
