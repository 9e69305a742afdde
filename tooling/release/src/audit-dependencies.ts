import { parseArgs } from 'node:util'
import { audit } from './audit.ts'
import { root } from './repository.ts'

// `pnpm audit:dependencies [--required]`: fails on any known weakness. Where the registry does not offer advisories it says that nothing
// was audited, and fails only where that is required, which is for a release.

const { values } = parseArgs({ options: { required: { type: 'boolean', default: false } } })
const result = audit({ cwd: root })
if (result.outcome === 'vulnerable')
  for (const { module_name, severity, title, url, vulnerable_versions } of result.advisories)
    console.error(`${severity}: ${module_name} ${vulnerable_versions}: ${title} (${url})`)
if (result.outcome === 'not audited')
  console.error(`NOT AUDITED: the registry told nothing of known weaknesses: ${result.reason}`)
if (result.outcome === 'clean') console.log('no known weakness in any dependency')
const failed = result.outcome === 'vulnerable' || (result.outcome === 'not audited' && values.required)
process.exitCode = failed ? 1 : 0
