import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { declarationsOf, entries } from './declarations.ts'

// The public surface as text, kept in the repository: a change of it shows in review. `--write` renews it and the reference.

const packageRoot = join(import.meta.dirname, '..')
const reportFile = join(packageRoot, 'api-report.md')
const referenceFile = join(packageRoot, 'docs/reference.md')

const fence = (code: string) => `\`\`\`ts\n${code}\n\`\`\`\n`
const specifier = (entry: string) => (entry === 'index' ? '@saleproof/sdk' : `@saleproof/sdk/${entry}`)

/** Every declaration of every entry, without its documentation. */
export function report(): string {
  const sections = entries.map((entry) => {
    const code = declarationsOf(entry)
      .map(({ code }) => code)
      .join('\n')
    return `## ${specifier(entry)}\n\n${fence(code)}`
  })
  return `# Public surface\n\nMade by \`pnpm --filter @saleproof/sdk api-report --write\` from the published declarations.\n\n${sections.join('\n')}`
}

/** Every declaration of every entry with its documentation; what several entries export is described with the first of them. */
export function reference(): string {
  const described = new Map<string, string>()
  const sections = entries.map((entry) => {
    const own = declarationsOf(entry).filter(({ name, documented }) => described.get(name) !== documented)
    const parts = own.map(({ name, documentation, documented }) => {
      described.set(name, documented)
      return `### ${name}\n\n${documentation}\n\n${fence(documented)}`
    })
    return `## ${specifier(entry)}\n\n${parts.join('\n')}`
  })
  return `# API reference\n\nMade by \`pnpm --filter @saleproof/sdk api-report --write\` from the published declarations.\n\n${sections.join('\n')}`
}

const read = (file: string) => {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

/** What in the repository is not what the build would write. */
export async function apiReportProblems(): Promise<string[]> {
  const files = { [reportFile]: report(), [referenceFile]: reference() }
  return Object.entries(files)
    .filter(([file, text]) => read(file) !== text)
    .map(
      ([file]) =>
        `${file} is not of this build: run "pnpm --filter @saleproof/sdk api-report --write" and review its diff`,
    )
}

if (import.meta.main) {
  if (parseArgs({ options: { write: { type: 'boolean' } } }).values.write) {
    writeFileSync(reportFile, report())
    writeFileSync(referenceFile, reference())
  } else {
    const problems = await apiReportProblems()
    for (const problem of problems) console.error(problem)
    process.exitCode = problems.length ? 1 : 0
  }
}
