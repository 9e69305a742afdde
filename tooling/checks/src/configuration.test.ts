import { expect, test } from 'vitest'
import { codeSpans, tableRows } from './markdown.ts'
import { documents, read } from './repository.ts'

const source = ['config.ts', 'observability/tracing/tracing-config.ts']
  .map((file) => read(`apps/api/src/${file}`))
  .join('\n')
const inCode = [...source.matchAll(/\bread\(\s*'([A-Z_]+)'|\benv\.([A-Z_]+)/g)].map(
  ([, byReader, direct]) => byReader ?? direct ?? '',
)
const pages = ['configuration.md', 'monitoring.md'].map((file) => read(`apps/api/docs/${file}`))
const described = pages
  .flatMap(tableRows)
  .flatMap(([first = '']) => codeSpans(first))
  .filter((name) => /^[A-Z_]+$/.test(name))

test('the described variables are those that are read', () => {
  expect(inCode.length).toBeGreaterThan(10)
  expect([...new Set(described)].sort()).toEqual([...new Set(inCode)].sort())
})

// Variables of programs that use the SDK.
const others = new Set(['SALEPROOF_API_KEY', 'SALEPROOF_LOG', 'SALEPROOF_URL'])

test.each(documents.filter((document) => !document.startsWith('packages/')))(
  '%s names only variables that are read',
  (document) => {
    const named = read(document).match(/\bSALEPROOF_[A-Z_]+\b/g) ?? []
    expect(named.filter((name) => !inCode.includes(name) && !others.has(name))).toEqual([])
  },
)
