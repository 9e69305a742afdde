import { parseArgs } from 'node:util'
import { pnpm } from '@saleproof/pnpm'
import { root } from './repository.ts'

// `pnpm audit:dependencies [--required]`: fails on any known vulnerability in the lockfile, development included. Where the
// registry offers no advisories it says so, and fails only with --required, as for a release.

interface Advisory {
  module_name: string
  severity: string
  title: string
  url: string
  vulnerable_versions: string
}

/** pnpm exits with 1 when it finds something, and when the registry does not answer. */
function audit(): { stdout: string; stderr: string } {
  try {
    return { stdout: pnpm(['audit', '--json'], { cwd: root, timeoutMs: 120_000 }), stderr: '' }
  } catch (error) {
    if (!(error instanceof Error && 'stdout' in error && 'stderr' in error)) throw error
    return { stdout: String(error.stdout ?? ''), stderr: String(error.stderr ?? '') }
  }
}

function parseAdvisories(text: string): Advisory[] | undefined {
  try {
    const { advisories }: { advisories?: Record<string, Advisory> } = JSON.parse(text)
    return advisories && Object.values(advisories)
  } catch {
    return undefined
  }
}

const { values } = parseArgs({ options: { required: { type: 'boolean', default: false } } })
const { stdout, stderr } = audit()
const advisories = parseAdvisories(stdout)
for (const { module_name, severity, title, url, vulnerable_versions } of advisories ?? [])
  console.error(`${severity}: ${module_name} ${vulnerable_versions}: ${title} (${url})`)
if (!advisories) {
  const reason = `${stderr} ${stdout}`.replace(/[\s│×]+/g, ' ').trim()
  console.error(`NOT AUDITED: the registry returned no advisories: ${reason.slice(0, 300)}`)
} else if (advisories.length === 0) console.log('no known vulnerability in any dependency')
if (advisories ? advisories.length > 0 : values.required) process.exitCode = 1
