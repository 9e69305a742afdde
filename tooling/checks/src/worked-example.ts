import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fences } from './markdown.ts'
import { files, packages, root } from './repository.ts'

/** What a worked example changes in one place: lines that have to be there once, and what replaces them. */
interface Hunk {
  file: string
  before: string
  after: string
}

function hunkOf(file: string, lines: readonly string[]): Hunk {
  const without = (sign: string) =>
    lines
      .filter((line) => !line.startsWith(sign))
      .map((line) => `${line.slice(1)}\n`)
      .join('')
  return { file, before: without('+'), after: without('-') }
}

/** The changes of a worked example: its blocks of the language `diff`, each of one file, with `@@` between two places of it. */
export const hunksOf = (document: string): Hunk[] =>
  fences(document)
    .filter(({ language }) => language === 'diff')
    .flatMap(({ body }) => {
      const [head = '', ...lines] = body.trimEnd().split('\n')
      const file = head.replace(/^\+\+\+ /, '')
      const places = lines.join('\n').split('\n@@\n')
      return places.map((place) => hunkOf(file, place.split('\n')))
    })

/** The commands of a worked example, which write what is generated. */
export const commandsOf = (document: string): string[] =>
  fences(document)
    .filter(({ language }) => language === 'sh')
    .flatMap(({ body }) => body.trimEnd().split('\n'))

/** Applies the changes to a copy of the repository; fails where a place is not found, or found twice. */
export function applyHunks(folder: string, hunks: readonly Hunk[]) {
  for (const { file, before, after } of hunks) {
    const path = join(folder, file)
    const text = existsSync(path) ? readFileSync(path, 'utf8') : ''
    if (before === '' ? text !== '' : text.split(before).length !== 2)
      throw new Error(`${file} does not have these lines once:\n${before}`)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(
      path,
      text.replace(before, () => after),
    )
  }
}

/** A copy of the repository with the installed packages of this one. */
export function createInstalledCopy() {
  const folder = mkdtempSync(join(tmpdir(), 'saleproof-copy-'))
  const generated = ['apps/api/src/generated']
  for (const file of [...files, ...generated])
    cpSync(join(root, file), join(folder, file), { recursive: true })
  const store = join(root, 'node_modules/.pnpm')
  for (const owner of ['', ...packages.map((found) => found.folder)]) {
    const modules = join(root, owner, 'node_modules')
    if (!existsSync(modules)) continue
    // Links to packages of the workspace are relative: those of the copy lead to the copy.
    cpSync(modules, join(folder, owner, 'node_modules'), {
      recursive: true,
      verbatimSymlinks: true,
      filter: (source) => source !== store,
    })
  }
  symlinkSync(store, join(folder, 'node_modules/.pnpm'))
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) }
}
