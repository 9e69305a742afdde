import fc from 'fast-check'
import { expect, test } from 'vitest'
import { jsonLines, type Line } from './json-lines.ts'

const textOf = (lines: readonly Line[]) =>
  lines.map(({ pieces, depth }) => '  '.repeat(depth) + pieces.map(({ text }) => text).join('')).join('\n')

test('is what JSON.stringify writes', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (value, other) => {
      expect(textOf(jsonLines(value, other))).toBe(JSON.stringify(value, null, 2))
    }),
  )
})

test('marks what only one of two has', () => {
  const base = { id: 1, media: { preview_image: 'a', screenshots: [] }, tags: ['x'] }
  const extended = { id: 1, version: '1.0.0', media: { thumbnail: '', screenshots: ['s'] }, tags: ['x', 'y'] }
  const marked = (lines: readonly Line[]) => textOf(lines.filter(({ only }) => only)).replaceAll(' ', '')
  expect(marked(jsonLines(base, extended))).toBe('"preview_image":"a",')
  expect(marked(jsonLines(extended, base))).toBe('"version":"1.0.0",\n"thumbnail":"",')
  expect(marked(jsonLines(extended))).toBe('')
})
