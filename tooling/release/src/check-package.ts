import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { contentProblems, publintProblems } from './contents.ts'
import { root } from './repository.ts'
import { packFrom } from './tarball.ts'

// Checks the service as it is published. It exports nothing, so Are The Types Wrong is not needed.

const folder = mkdtempSync(join(tmpdir(), 'saleproof-api-'))
try {
  const tarball = packFrom(root, '@saleproof/api', folder)
  const problems = [...(await publintProblems(tarball)), ...contentProblems(tarball, { root })]
  for (const problem of problems) console.error(problem)
  console.log(`tarball ${statSync(tarball).size} B, ${problems.length} problems`)
  process.exitCode = problems.length ? 1 : 0
} finally {
  rmSync(folder, { recursive: true, force: true })
}
