import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startPostgres } from '@saleproof/postgres'
import { clone, install } from '@saleproof/process'
import { build, lastRelease } from './builds.ts'
import { root } from './repository.ts'
import { type Build, fillDatabase, upgradeProblems } from './upgrade.ts'

// From the last release, built from its tag, to the build of this working copy.

/** Upgrades a file and a PostgreSQL database from the build of a tag. */
async function problemsFrom(tag: string, folder: string): Promise<string[]> {
  const copy = join(folder, 'copy')
  clone(root, { ref: tag, folder: copy })
  install(copy)
  build(copy)
  const commandIn = (repository: string): Build => [
    process.execPath,
    join(repository, 'apps/api/bin/saleproof.js'),
  ]
  const example = join(copy, 'apps/api/docs/example.ndjson')
  const previous = { before: commandIn(copy), example }
  const upgrade = async (name: string, databaseUrl?: string) =>
    upgradeProblems(
      await fillDatabase({ ...previous, folder: join(folder, name), databaseUrl }),
      commandIn(root),
    )
  const server = await startPostgres()
  try {
    const onFile = await upgrade('file')
    const onServer = await upgrade('postgres', server.url())
    return [
      ...onFile.map((problem) => `SQLite: ${problem}`),
      ...onServer.map((problem) => `PostgreSQL: ${problem}`),
    ]
  } finally {
    await server.remove()
  }
}

const { values } = parseArgs({ options: { from: { type: 'string' } } })
const tag = values.from ?? lastRelease(root)
if (tag === undefined) console.log('no release yet: nothing to upgrade from')
else {
  const folder = mkdtempSync(join(tmpdir(), 'saleproof-upgrade-'))
  try {
    const problems = await problemsFrom(tag, folder)
    for (const problem of problems) console.error(problem)
    console.log(`from ${tag}: ${problems.length} problems`)
    process.exitCode = problems.length ? 1 : 0
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
