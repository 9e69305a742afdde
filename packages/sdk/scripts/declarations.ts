import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The entries of the package, in the order of its documents. */
export const entries = [
  'index',
  'publishable',
  'gate',
  'guard',
  'node',
  'testing',
  'schemas',
  'messages',
] as const

export interface Declaration {
  name: string
  documentation: string
  /** With the documentation of its members. */
  documented: string
  /** Without documentation. */
  code: string
}

// The declarations of both formats.
const dist = join(import.meta.dirname, '../dist/cjs')
const start = /^(?:export )?(?:declare )?(?:type|interface|class|function|const) (\w+)/
const next = /^(?:\/\*\*|\/\/#|import |export |declare |type |interface |class |function |const )/

const plainComment = (comment: string) =>
  comment
    .replace(/^\s*\/\*\*\s?|\s*\*\/\s*$/g, '')
    .replace(/^[ \t]*\* ?/gm, '')
    .replace(/\{@link ([^}]+)\}/g, '`$1`')
    .replace(/@example\n([\s\S]*)/, (_, code: string) => `\`\`\`ts\n${code.trim()}\n\`\`\``)
    .trim()

/** The top-level declarations of a rolled file: it is formatted, so each starts at the first column. */
function parse(text: string): Declaration[] {
  const found: Declaration[] = []
  const lines = text.split('\n')
  let comment = ''
  const isCode = (line: string | undefined) => line !== undefined && !next.test(line)
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? ''
    if (line.startsWith('/**')) {
      let end = at
      while (lines[end]?.includes('*/') === false) end += 1
      comment = lines.slice(at, end + 1).join('\n')
      at = end
      continue
    }
    const name = start.exec(line)?.[1]
    if (!name) continue
    let end = at + 1
    while (isCode(lines[end])) end += 1
    const documented = lines
      .slice(at, end)
      .join('\n')
      .replace(/^export /, '')
      .trim()
    const code = documented.replace(/^[ \t]*\/\*\*[\s\S]*?\*\/\n/gm, '')
    found.push({ name, documentation: plainComment(comment), documented, code })
    comment = ''
    at = end - 1
  }
  return found
}

/** What an entry exports, in alphabetical order. */
export function declarationsOf(entry: (typeof entries)[number]): Declaration[] {
  const files = globSync('{*,shared/*}.d.ts', { cwd: dist }).sort()
  const all = new Map(
    files.flatMap((file) => parse(readFileSync(join(dist, file), 'utf8'))).map((each) => [each.name, each]),
  )
  const text = readFileSync(join(dist, `${entry}.d.ts`), 'utf8')
  const listed = [...text.matchAll(/^export (?:type )?\{([^}]*)\}/gm)].flatMap(([, names = '']) =>
    names.split(','),
  )
  const direct = [...text.matchAll(/^export declare \w+ (\w+)/gm)].map(([, name = '']) => name)
  const names = [
    ...listed.map((name) =>
      name
        .trim()
        .replace(/^type /, '')
        .replace(/^.* as /, ''),
    ),
    ...direct,
  ].filter(Boolean)
  return [...new Set(names)].sort().map((name) => {
    const declaration = all.get(name)
    if (!declaration) throw new Error(`no declaration of ${name} in the build`)
    return declaration
  })
}
