import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runSync } from '@saleproof/process'

// Run after tsdown: writes the published declarations into `docs/reference.md`, and what a bundle pays into the table of the README.

const packageRoot = join(import.meta.dirname, '..')
const dist = join(packageRoot, 'dist')

/** The declarations of a file. What a shared one exports has names of the bundler's there. */
function declarations(file: string): string {
  const bundled = file.startsWith('shared/') ? /^(import|export \{).*\n?/gm : /^import .*\n/gm
  return readFileSync(join(dist, file), 'utf8').replace(bundled, '').trim()
}

const manifest = JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8'))
const entries = Object.keys(manifest.exports).filter((entry) => entry !== './package.json')
const files = entries
  .map((entry) => `${entry.slice(2) || 'index'}.d.ts`)
  .concat(globSync('shared/*.d.ts', { cwd: dist }).sort())
const sections = files.map((file) => `## ${file}\n\n\`\`\`ts\n${declarations(file)}\n\`\`\`\n`)
const title = '# API reference\n\nThe published declarations, as the build wrote them.'
writeFileSync(join(packageRoot, 'docs/reference.md'), [title, ...sections].join('\n\n'))

/** Fails where a bundle is over the budget of `.size-limit.json`. */
const sizes: { name: string; size: number }[] = JSON.parse(
  runSync([join(packageRoot, 'node_modules/.bin/size-limit'), '--json'], { cwd: packageRoot }),
)
const readme = join(packageRoot, 'README.md')
const table = sizes.reduce(
  (text, { name, size }) => {
    const row = new RegExp(`(\\| @saleproof/sdk, ${name.replace('+', '\\+')} \\| )[\\d,]+`)
    if (!row.test(text)) throw new Error(`README.md has no row for ${name}`)
    return text.replace(row, `$1${size.toLocaleString('en')}`)
  },
  readFileSync(readme, 'utf8'),
)
writeFileSync(readme, table)
