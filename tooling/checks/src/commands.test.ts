import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { leaves, problemWith } from './command-line.ts'
import { codeSpans, tableRows, typedLines } from './markdown.ts'
import { documents, packages, read, readJson, root } from './repository.ts'

const scripts = Object.keys(readJson('package.json').scripts)
const ofPnpm = new Set(['add', 'dlx', 'exec', 'install', 'pack', 'run'])

/** The words after a program's name, up to where the shell or a comment takes over. */
const words = (text: string) =>
  text
    .replace(/\s#.*$/, '')
    .split(/[|>;&)]/)[0]!
    .trim()
    .split(/\s+/)
    .filter((word) => word && word !== '…')

const hasBinary = (folder: string, name: string) =>
  [folder, '.'].some((base) => existsSync(join(root, base, 'node_modules/.bin', name)))

function filtered([name = '', command = '', binary = '']: readonly string[]): string | undefined {
  // `name...` is the package with those that it is built from.
  const found = packages.find(({ manifest }) => manifest.name === name.replace(/\.{3}$/, ''))
  if (!found) return `no package ${name}`
  if (command === 'exec') return hasBinary(found.folder, binary) ? undefined : `no ${binary} in ${name}`
  return command in (found.manifest.scripts ?? {}) ? undefined : `no script ${command} in ${name}`
}

function problemWithPnpm(typed: readonly string[]): string | undefined {
  const [first = '', ...rest] = typed.filter((word) => word !== 'run' && word !== '--silent')
  if (first === '--filter') return filtered(rest)
  if (first === 'saleproof') return problemWith(rest)
  return first === '' || scripts.includes(first) || ofPnpm.has(first) ? undefined : `no script ${first}`
}

/** npm reads `folder/file.tgz` as a repository on GitHub. */
const ownerAndRepository = /^npm (?:install|i) .*?(?<=\s)[\w-]+\/\S/

const runners = new Set(['pnpm@12', 'playwright', ...packages.map(({ manifest }) => manifest.name)])

/** npx runs whatever has that name on npm, with the key in its environment. */
function problemWithNpx(line: string): string | undefined {
  const [, name] = /\bnpx (?:(?:-y|-p|--yes) )*(\S+)/.exec(line) ?? []
  return name === undefined || runners.has(name) ? undefined : `npx runs ${name}, which is not ours`
}

function problem(line: string): string | undefined {
  const stranger = problemWithNpx(line)
  if (stranger) return stranger
  if (ownerAndRepository.test(line.trim())) return 'npm takes a path for a repository: begin it with ./'
  const pnpm = /(?:^|[\s(])pnpm(?:@12)?(?= )(.*)$/.exec(line)?.[1]
  if (pnpm !== undefined) return problemWithPnpm(words(pnpm))
  const direct = /^(?:npx (?:-y )?@saleproof\/api|(?:sudo )?saleproof) (.*)$/.exec(line.trim())?.[1]
  return direct === undefined ? undefined : problemWith(words(direct))
}

test.each(documents)('%s: its commands exist', (document) => {
  const problems = typedLines(read(document)).flatMap((line) => problem(line) ?? [])
  expect(problems).toEqual([])
})

test('the check finds unknown commands, options and scripts', () => {
  expect(problem('npx -y pnpm@12 nothing')).toBe('no script nothing')
  expect(problem('pnpm --filter @saleproof/api nothing')).toBe('no script nothing in @saleproof/api')
  expect(problem('KEY=$(npx -y pnpm@12 saleproof key make)')).toBe('no command make')
  expect(problem('saleproof import FILE --no-such')).toBe('no option --no-such')
  expect(problem('npx @saleproof/api servve')).toBe('no command servve')
  expect(problem('KEY=1 npx saleproof-check CODE')).toBe('npx runs saleproof-check, which is not ours')
  expect(problem('KEY=1 npx -p @saleproof/sdk saleproof-check CODE')).toBeUndefined()
  expect(problem('npm install --prefix ~/shop release/api.tgz')).toBe(
    'npm takes a path for a repository: begin it with ./',
  )
})

test.each(documents.filter((document) => document.startsWith('apps/api/')))(
  '%s: its commands need no clone',
  (document) => {
    expect(typedLines(read(document)).filter((line) => /pnpm@12 saleproof [a-z]/.test(line))).toEqual([])
  },
)

describe('apps/api/docs/commands.md', () => {
  const rows = tableRows(read('apps/api/docs/commands.md')).flatMap(([first = '', ...rest]) => {
    const [command] = codeSpans(first)
    return command === undefined ? [] : [{ command, text: [command, ...rest].join(' ') }]
  })
  const rowsOf = (path: string) =>
    rows.filter(({ command }) => command === path || command.startsWith(`${path} `))

  test('its commands exist', () => {
    expect(rows.flatMap(({ command }) => problemWith(words(command)) ?? [])).toEqual([])
  })

  test.each(leaves())('describes $path with all options', ({ path, options }) => {
    const text = rowsOf(path)
      .map((row) => row.text)
      .join('\n')
    expect(text).not.toBe('')
    for (const option of options) if (option !== '--help') expect(text).toContain(option)
  })

  test('each option belongs to the command of its row', () => {
    const unknown = rows.flatMap(({ command, text }) => {
      const known = leaves().filter(({ path }) => command === path || command.startsWith(`${path} `))
      const named = text.match(/--\w[\w-]*/g) ?? []
      return named.filter((name) => !known.some(({ options }) => options.includes(name)))
    })
    expect(unknown).toEqual([])
  })
})
