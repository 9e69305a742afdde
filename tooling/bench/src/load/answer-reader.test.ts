import { expect, test } from 'vitest'
import { createAnswerReader } from './answer-reader.ts'

const withLength = 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello'
const inChunks = 'HTTP/1.1 404 Not Found\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n'

test.each([
  ['with a length', withLength, 200],
  ['in chunks', inChunks, 404],
])('an answer %s is whole with its last byte, however it is cut', (_, text, status) => {
  for (let size = 1; size <= text.length; size++) {
    const read = createAnswerReader()
    const pieces = text.match(new RegExp(`[^]{1,${size}}`, 'g'))!
    const results = pieces.map((piece) => read(Buffer.from(piece)))
    expect(results.at(-1), `pieces of ${size}`).toBe(status)
    expect(results.slice(0, -1).every((result) => result === undefined)).toBe(true)
  }
})

test('the next answer of a connection is read from its beginning', () => {
  const read = createAnswerReader()
  expect([inChunks, withLength, inChunks].map((text) => read(Buffer.from(text)))).toEqual([404, 200, 404])
})
