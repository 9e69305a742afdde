import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

// For tests of parts: the whole-app harness brings the whole service, which they do not need.

export const packageRoot = fileURLToPath(new URL('../..', import.meta.url))

/** The migrations of this build. */
export const migrations = join(packageRoot, 'prisma/migrations')

/** A folder of its own for a test. */
export async function temporaryFolder() {
  const folder = await mkdtemp(join(tmpdir(), 'saleproof-'))
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) }
}
