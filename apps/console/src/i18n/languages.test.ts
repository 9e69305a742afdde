import { locales } from '@saleproof/schema/constants'
import { expect, test } from 'vitest'
import { formatTag, loadMessages, preferredLanguage } from './languages.ts'

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
  expect(formatTag('en', ['pt-BR', 'en-GB'])).toBe('en-GB')
  expect(formatTag('pt', ['en-GB'])).toBe('pt-BR')
  expect(formatTag('en', ['en-US@posix', 'en-GB'])).toBe('en-GB')
  expect(formatTag('en', ['en-US@posix'])).toBe('en')
})

/** Every message, by path. */
const leaves = (value: unknown, path = ''): (readonly [path: string, leaf: unknown])[] =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([name, inner]) => leaves(inner, `${path}.${name}`))
    : [[path, value]]

test('all languages have the same messages, and none is empty', async () => {
  const [first, ...others] = await Promise.all(
    locales.map(async (language) => leaves(await loadMessages(language))),
  )
  const kinds = (of: typeof first = []) => of.map(([path, leaf]) => [path, typeof leaf])
  for (const other of others) expect(kinds(other)).toEqual(kinds(first))
  for (const of of [first, ...others])
    for (const [path, leaf] of of ?? []) expect([path, leaf]).not.toEqual([path, ''])
})
