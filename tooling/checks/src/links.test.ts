import { existsSync, globSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { codeSpans, fences, links } from './markdown.ts'
import { documents, files, folderOf, read, root } from './repository.ts'

const exists = (path: string) =>
  /[{}*]/.test(path) ? globSync(path, { cwd: root }).length > 0 : existsSync(join(root, path))

const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-')

const anchors = (document: string) =>
  [...read(document).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => anchorOf(heading))

function isGood(document: string, link: string): boolean {
  if (/^[a-z]+:/.test(link)) return true
  const [path = '', anchor] = link.split('#')
  const target = path ? join(dirname(document), path) : document
  return exists(target) && (anchor === undefined || anchors(target).includes(anchor))
}

const top = new Set(files.filter((file) => file.includes('/')).map((file) => file.split('/')[0]))
const names = new Set(files.map((file) => basename(file)))
// What a user's own project or a package manager holds, not this repository.
const foreign = new Set(['package.json'])

/** Whether a piece of code names a file or folder of the repository that is not there. */
function isBroken(document: string, code: string): boolean {
  // What is made by a run is there only after one.
  if (!/^[\w.@{},*/-]+$/.test(code) || code.startsWith('.cache/')) return false
  const folder = folderOf(document)
  const inPackage =
    folder && code.includes('/') && exists(join(folder, code.split('/')[0]!)) && !code.startsWith('/')
  if (top.has(code.split('/')[0]!)) return !exists(code) && !exists(join(folder ?? '.', code))
  if (inPackage) return !exists(join(folder, code))
  return /^[\w-]+(\.[\w-]+)*\.(ts|mjs|prisma|yaml|md)$/.test(code) && !names.has(code) && !foreign.has(code)
}

const shellPaths = (text: string) =>
  fences(text)
    .filter(({ language }) => language === 'sh')
    .flatMap(({ body }) => body.split(/[\s'"=]+/))
    .filter((word) => word.includes('/') && top.has(word.split('/')[0]!))

describe.each(documents)('%s', (document) => {
  const text = read(document)

  test('its links lead somewhere', () => {
    expect(links(text).filter((link) => !isGood(document, link))).toEqual([])
  })

  test('the files and folders that it names exist', () => {
    expect([...codeSpans(text), ...shellPaths(text)].filter((code) => isBroken(document, code))).toEqual([])
  })
})
