import { expect, test } from 'vitest'
import { codeSpans, tableRows } from './markdown.ts'
import { documents, read } from './repository.ts'

const source = read('apps/api/src/config.ts')
const inCode = [...source.matchAll(/\bread\(\s*'([A-Z_]+)'|\benv\.([A-Z_]+)/g)].map(
  ([, byReader, direct]) => byReader ?? direct ?? '',
)
const page = read('apps/api/docs/configuration.md')
const described = tableRows(page).flatMap(([first = '']) => codeSpans(first))

test('every variable is described, and every described variable is read', () => {
  expect(inCode.length).toBeGreaterThan(10)
  expect([...described].sort()).toEqual([...new Set(inCode)].sort())
})

// The SDK and programs that use it have variables of their own.
const others = new Set(['SALEPROOF_API_KEY'])

test.each(documents.filter((document) => !document.startsWith('packages/')))(
  '%s names no variable that is not read',
  (document) => {
    const named = read(document).match(/\bSALEPROOF_[A-Z_]+\b/g) ?? []
    expect(named.filter((name) => !inCode.includes(name) && !others.has(name))).toEqual([])
  },
)
