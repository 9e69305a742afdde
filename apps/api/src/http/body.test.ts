import { setImmediate as nextTurn } from 'node:timers/promises'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ApiError } from './api-error.ts'
import { parseMultipart } from './body.ts'

/** The result for a body; an uncaught error, now or later, fails the test run. */
async function outcome(type: string, body: Buffer) {
  try {
    return (await parseMultipart(type, body)).map(([name]) => name)
  } catch (error) {
    expect(error).toBeInstanceOf(ApiError)
    return (error as ApiError).code
  } finally {
    for (let turn = 0; turn < 5; turn++) await nextTurn()
  }
}

const part = (disposition: string, more = '') =>
  `--b\r\nContent-Disposition: ${disposition}${more}\r\n\r\nvalue\r\n`
const field = part('form-data; name="a"')
const file = part('form-data; name="f"; filename="x.txt"')
const end = '--b--\r\n'
const type = 'multipart/form-data; boundary=b'

test.each<[string, string, unknown]>([
  ['a field and a file', field + file + end, ['a', 'f']],
  ['a file that breaks off', file, 'malformed_body'],
  ['a file that breaks off after a field', field + file, 'malformed_body'],
  ['a file without a line end', file.slice(0, -2), 'malformed_body'],
  ['a head that breaks off', field + file.slice(0, 20), 'malformed_body'],
  ['a part of no kind that breaks off', part('attachment; name="a"'), 'malformed_body'],
  ['two ends', field + end + file + end, ['a']],
])('%s', async (_, body, expected) => {
  expect(await outcome(type, Buffer.from(body))).toEqual(expected)
})

test('no body ends the process', async () => {
  const odd = fc.constantFrom(
    '"',
    ';',
    '\r',
    '\n',
    '\r\n',
    ' ',
    '\t',
    '\0',
    '%',
    '*',
    "''",
    '--b',
    '--b--',
    ':',
    '\xff',
  )
  const attribute = fc.constantFrom(
    'form-data',
    '; name="a"',
    "; filename*=UTF-8''%e2%82%ac",
    '; filename=""',
    '; filename*=x',
    '; name=a',
    ';',
  )
  const more = fc.constantFrom(
    '',
    '\r\nContent-Type: text/plain; charset=utf-7',
    '\r\nContent-Type: text/plain; charset="nonsense',
    '\r\nx',
    '\r\nContent-Type: application/octet-stream',
    '\r\nContent-Type: ;',
    '\r\nContent-Transfer-Encoding: base64',
  )
  const parts = fc.array(
    fc.tuple(fc.array(attribute, { maxLength: 4 }), more).map(([list, rest]) => part(list.join(''), rest)),
    { maxLength: 4 },
  )
  const body = fc
    .record({
      parts,
      cut: fc.option(fc.nat(400)),
      inserted: fc.array(fc.tuple(fc.nat(400), odd), { maxLength: 4 }),
      tail: fc.constantFrom(end, '', '--b', '--b\r\n', `${end}${end}`),
    })
    .map(({ parts: list, cut, inserted, tail }) => {
      const whole = inserted.reduce(
        (text, [at, what]) => text.slice(0, at) + what + text.slice(at),
        list.join('') + tail,
      )
      return Buffer.from(cut === null ? whole : whole.slice(0, cut), 'latin1')
    })
  const types = fc.constantFrom(
    type,
    'multipart/form-data; boundary="b"',
    'multipart/form-data; boundary=',
    'multipart/form-data',
  )
  await fc.assert(
    fc.asyncProperty(types, body, async (given, bytes) => {
      const result = await outcome(given, bytes)
      expect(Array.isArray(result) || result === 'malformed_body').toBe(true)
    }),
    { numRuns: 2000 },
  )
})
