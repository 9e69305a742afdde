import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { build, clone, install } from './clone.ts'
import { lastRelease } from './last-release.ts'
import { root } from './repository.ts'
import { upgradeProblems } from './upgrade.ts'

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
    const problems = await upgradeProblems({
      before: command(copy),
      after: command(root),
      example: join(copy, 'apps/api/docs/example.ndjson'),
      folder: join(workplace, 'data'),
    })
    console.log(`from ${tag}: ${problems.length} problems`)
    for (const problem of problems) console.error(problem)
    process.exitCode = problems.length ? 1 : 0
  } finally {
    rmSync(workplace, { recursive: true, force: true })
  }
}
