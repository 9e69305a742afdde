import { expect, test } from 'vitest'
import { imports } from '../messages/en/imports.ts'
import { plural } from '../messages/plural.ts'
import { findRegion, languageName, languages, loadTranslation, preferredLanguage } from './languages.ts'

test.each([
  [null, ['pt-BR', 'en'], 'pt'],
  [null, ['de-DE', 'en-GB', 'pt'], 'en'],
  [null, ['de'], 'en'],
  [null, [], 'en'],
  ['pt', ['en-US'], 'pt'],
  ['xx', ['pt-PT'], 'pt'],
] as const)('saved %s, browser %j: %s', (saved, browser, language) => {
  expect(preferredLanguage(saved, browser)).toBe(language)
})

test('dates and numbers follow the region of the browser if the language matches', () => {
  expect(findRegion('en', ['pt-BR', 'en-GB'])).toBe('en-GB')
  expect(findRegion('pt', ['en-GB'])).toBeUndefined()
  expect(findRegion('en', ['en-US@posix', 'en-GB'])).toBe('en-GB')
  expect(findRegion('en', ['en-US@posix'])).toBeUndefined()
})

/** Every message, by path. */
const leaves = (value: unknown, path = ''): (readonly [path: string, leaf: unknown])[] =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([name, inner]) => leaves(inner, `${path}.${name}`))
    : [[path, value]]

test('all languages have the same messages, and none is empty', async () => {
  const [first, ...others] = await Promise.all(
    languages.map(async (language) => leaves((await loadTranslation(language)).messages)),
  )
  const kinds = (of: typeof first = []) => of.map(([path, leaf]) => [path, typeof leaf])
  for (const other of others) expect(kinds(other)).toEqual(kinds(first))
  for (const of of [first, ...others])
    for (const [path, leaf] of of ?? []) expect([path, leaf]).not.toEqual([path, ''])
})

test('a language is named in itself', () => {
  expect(['en', 'pt', 'pl'].map(languageName)).toEqual(['English', 'Português', 'Polski'])
})

test('a noun has the forms of its language', () => {
  const forms = { one: 'plik', few: 'pliki', many: 'plików', other: 'pliku' }
  expect([1, 2, 5, 22, 1.5].map((count) => plural('pl', count, forms))).toEqual([
    '1 plik',
    '2 pliki',
    '5 plików',
    '22 pliki',
    '1,5 pliku',
  ])
})

test('the counts of an import have their nouns and separators', () => {
  expect(imports.warnings(1)).toBe('1 code is shorter than 12 characters: it can be guessed.')
  expect(imports.partial(1)).toBe('1 sale was refunded in part: its code stays valid.')
  expect(imports.where(1234, 2)).toBe('1,234 rows, such as line 2')
  expect(imports.counts(1234, 0, 5678)).toBe('1,234 new, 0 changed, 5,678 unchanged.')
  expect(imports.balance(2, 1234)).toBe('2 rows in the file, and 1,234 more because of quantities:')
})
