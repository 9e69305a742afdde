import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { packRelease, releaseProblems } from './release.ts'
import { root } from './repository.ts'

// Packs the versions of the working copy, which has to be built. The release workflow publishes the folder.

const { values } = parseArgs({
  options: {
    folder: { type: 'string' },
    // https://host/owner/name: written into each package for its provenance.
    repository: { type: 'string' },
  },
})
const folder = values.folder ? resolve(values.folder) : resolve(import.meta.dirname, '../.cache/release')
const released = packRelease({ root, folder, repository: values.repository })
const problems = await releaseProblems(released, { root, folder })
for (const { name, version, integrity } of released) console.log(`${name} ${version} ${integrity}`)
for (const problem of problems) console.error(problem)
process.exitCode = problems.length ? 1 : 0
