import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import { contentProblems } from './contents.ts'
import { root } from './repository.ts'
import { packFrom } from './tarball.ts'

// Checks the service as it is published. It exports nothing, so Are The Types Wrong is not needed.

const folder = mkdtempSync(join(tmpdir(), 'saleproof-api-'))
try {
  const tarball = packFrom(root, '@saleproof/api', folder)
  const bytes = new Uint8Array(readFileSync(tarball)).buffer
  const { messages, pkg } = await publint({ pack: { tarball: bytes }, strict: true })
  const problems = [
    ...messages.map((message) => formatMessage(message, pkg) ?? message.code),
    ...contentProblems(tarball, { root }),
  ]
  for (const problem of problems) console.error(problem)
  console.log(`tarball ${bytes.byteLength} B, ${problems.length} problems`)
  process.exitCode = problems.length ? 1 : 0
} finally {
  rmSync(folder, { recursive: true, force: true })
}
