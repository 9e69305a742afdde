import { pnpm } from '@saleproof/pnpm'

/** What the registry knows to be wrong with a version. */
interface Advisory {
  module_name: string
  severity: string
  title: string
  url: string
  vulnerable_versions: string
}

export type Audit =
  | { outcome: 'clean' }
  | { outcome: 'vulnerable'; advisories: readonly Advisory[] }
  /** The registry told nothing: that is not the same as nothing to tell. */
  | { outcome: 'not audited'; reason: string }

interface AuditOptions {
  cwd: string
  env?: Record<string, string | undefined>
}

const outputOf = (error: unknown) => {
  const { stdout, stderr } = (error ?? {}) as { stdout?: Buffer; stderr?: Buffer }
  return { stdout: String(stdout ?? ''), stderr: String(stderr ?? '') }
}

function parse(text: string): { advisories?: Record<string, Advisory> } | undefined {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** pnpm exits with 1 when it finds something, and when it finds out nothing. */
function answerOf(options: AuditOptions) {
  try {
    return { stdout: pnpm(['audit', '--json'], { ...options, timeoutMs: 120_000 }), stderr: '' }
  } catch (error) {
    return outputOf(error)
  }
}

/** Asks the registry for known weaknesses of every package in the lockfile, those that only make and test included. */
export function audit(options: AuditOptions): Audit {
  const { stdout, stderr } = answerOf(options)
  const advisories = parse(stdout)?.advisories
  if (!advisories) {
    const text = `${stderr} ${stdout}`.replace(/[\s│×]+/g, ' ').trim()
    return { outcome: 'not audited', reason: text.slice(0, 300) || 'pnpm said nothing' }
  }
  const found = Object.values(advisories)
  return found.length ? { outcome: 'vulnerable', advisories: found } : { outcome: 'clean' }
}
