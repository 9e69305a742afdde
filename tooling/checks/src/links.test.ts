import { existsSync, globSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { codeSpans, fences, links } from './markdown.ts'
import { documents, files, findFolder, read, root } from './repository.ts'

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
// Files of a user's project.
const foreign = new Set(['package.json'])

/** Whether inline code names a missing file or folder of the repository. */
function isBroken(document: string, code: string): boolean {
  // Generated files may be missing.
  if (!/^[\w.@{},*/-]+$/.test(code) || code.startsWith('.cache/')) return false
  const folder = findFolder(document)
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

  test('its links have targets', () => {
    expect(links(text).filter((link) => !isGood(document, link))).toEqual([])
  })

  test('its files and folders exist', () => {
    expect([...codeSpans(text), ...shellPaths(text)].filter((code) => isBroken(document, code))).toEqual([])
  })
})
