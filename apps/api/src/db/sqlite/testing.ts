import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

// For the tests of this folder and of the secret: the whole-app harness brings the whole service, which these do not need.

/** The migrations of this build. */
export const migrations = fileURLToPath(new URL('../../../prisma/migrations', import.meta.url))

/** A folder of its own for a test. */
export async function temporaryFolder() {
  const folder = await mkdtemp(join(tmpdir(), 'saleproof-'))
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) }
}
