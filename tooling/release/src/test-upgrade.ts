import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startPostgres } from '@saleproof/postgres'
import { build, clone, install } from './clone.ts'
import { lastRelease } from './last-release.ts'
import { root } from './repository.ts'
import { upgradeProblems } from './upgrade.ts'
import { upgradeProblemsOnPostgres } from './upgrade-on-postgres.ts'

// From the last release, as its tag builds it, to what is built here. Before the first release there is nothing to upgrade from.

const { values } = parseArgs({ options: { from: { type: 'string' } } })
const tag = values.from ?? lastRelease(root)
if (tag === undefined) console.log('no release yet: nothing to upgrade from')
else {
  const workplace = mkdtempSync(join(tmpdir(), 'saleproof-upgrade-'))
  try {
    const copy = join(workplace, 'copy')
    clone(root, { ref: tag, folder: copy })
    install(copy)
    build(copy)
    const command = (folder: string) => [process.execPath, join(folder, 'apps/api/bin/saleproof.js')] as const
    const upgrade = (name: string) => ({
      ...{ before: command(copy), after: command(root), folder: join(workplace, name) },
      example: join(copy, 'apps/api/docs/example.ndjson'),
    })
    const problems = (await upgradeProblems(upgrade('file'))).map((problem) => `SQLite: ${problem}`)
    const server = await startPostgres()
    try {
      const found = await upgradeProblemsOnPostgres({ ...upgrade('postgres'), databaseUrl: server.url() })
      problems.push(...found.map((problem) => `PostgreSQL: ${problem}`))
    } finally {
      await server.remove()
    }
    console.log(`from ${tag}: ${problems.length} problems`)
    for (const problem of problems) console.error(problem)
    process.exitCode = problems.length ? 1 : 0
  } finally {
    rmSync(workplace, { recursive: true, force: true })
  }
}
