import fc from 'fast-check'
import { expect, test } from 'vitest'
import { jsonLines, type Line } from './json-lines.ts'

const textOf = (lines: readonly Line[]) =>
  lines.map(({ tokens, depth }) => '  '.repeat(depth) + tokens.map(({ text }) => text).join('')).join('\n')

test('equals JSON.stringify', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (value, other) => {
      expect(textOf(jsonLines(value, other))).toBe(JSON.stringify(value, null, 2))
    }),
  )
})

test('highlights properties that the other value lacks', () => {
  const base = { id: 1, media: { preview_image: 'a', screenshots: [] }, tags: ['x'] }
  const extended = { id: 1, version: '1.0.0', media: { thumbnail: '', screenshots: ['s'] }, tags: ['x', 'y'] }
  const highlightedText = (lines: readonly Line[]) =>
    textOf(lines.filter(({ highlighted }) => highlighted)).replaceAll(' ', '')
  expect(highlightedText(jsonLines(base, extended))).toBe('"preview_image":"a",')
  expect(highlightedText(jsonLines(extended, base))).toBe('"version":"1.0.0",\n"thumbnail":"",')
  expect(highlightedText(jsonLines(extended))).toBe('')
})
