import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { chunked } from '../../test/support/import-database.ts'
import { type Line, maxLineBytes, readLines } from './lines.ts'

async function read(text: string | Uint8Array, size?: number): Promise<Line[]> {
  const lines: Line[] = []
  for await (const block of readLines(chunked(text, size))) lines.push(...block)
  return lines
}

describe('readLines', () => {
  test('gives the same lines however the bytes are cut', async () => {
    const line = fc.constantFrom('', ' \t', 'a', 'é€😀', '{"b":1}', '\ufeff')
    const property = fc.asyncProperty(fc.array(line), fc.integer({ min: 1, max: 9 }), async (parts, size) => {
      const expected = parts
        .map((text, index) => ({ number: index + 1, text: index === 0 && text === '\ufeff' ? '' : text }))
        .filter(({ text }) => !/^[ \t\r]*$/.test(text))
      expect(await read(parts.join('\n'), size)).toEqual(expected)
    })
    await fc.assert(property)
  })

  test('takes a byte order mark, CRLF, blank lines and a last line without an end', async () => {
    expect(await read('\ufeff{"a":1}\r\n\r\n \n{"b":2}')).toEqual([
      { number: 1, text: '{"a":1}\r' },
      { number: 4, text: '{"b":2}' },
    ])
  })

  test.each([1, 7, 65_536])('names the line that is not UTF-8, cut every %i bytes', async (size) => {
    const bytes = Buffer.concat([Buffer.from('a\nb\n'), Buffer.from([0xc3, 0x28]), Buffer.from('\n\nc\n')])
    expect(await read(bytes, size)).toEqual([
      { number: 1, text: 'a' },
      { number: 2, text: 'b' },
      { number: 3, text: '', issues: [{ field: null, issue: 'utf8' }] },
      { number: 5, text: 'c' },
    ])
  })

  test('takes a line of the largest length, and none that is longer', async () => {
    const longest = 'x'.repeat(maxLineBytes)
    expect(await read(`${longest}\n${longest}y\n${longest}yyy`)).toEqual([
      { number: 1, text: longest },
      { number: 2, text: '', issues: [{ field: null, issue: 'line_length' }] },
      { number: 3, text: '', issues: [{ field: null, issue: 'line_length' }] },
    ])
  })
})
