import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { hasDuplicates } from './body.ts'

const spaces = fc.constantFrom('', ' ', '\n', '\t ', '\r\n')

/** A string of JSON, some of its characters escaped. */
const strings = fc
  .array(fc.tuple(fc.string({ unit: 'binary', maxLength: 1 }), fc.boolean()), { maxLength: 6 })
  .chain((units) => {
    const text = units
      .map(([unit, escaped]) =>
        escaped
          ? Array.from({ length: unit.length }, (_, at) => escapeUnit(unit.charCodeAt(at))).join('')
          : JSON.stringify(unit).slice(1, -1),
      )
      .join('')
    return fc.constantFrom(
      `"${text}"`,
      `"${text}"`,
      `"${text}:"`,
      '"\\":"',
      '"\\\\"',
      '"a\\/b"',
      '":"',
      '"__proto__"',
      '"1"',
    )
  })

/**
 * Without backslashes: with an object that has one in a name, V8 of Node.js 24 and 26 reads other names with escapes wrong
 * (https://github.com/nodejs/node/issues/63785).
 */
const names = strings.filter((text) => !JSON.parse(text).includes('\\'))

const escapeUnit = (unit: number) => `\\u${unit.toString(16).padStart(4, '0')}`

interface Field {
  readonly name: string
  readonly value: string
  readonly space: string
}

const objectOf = (fields: readonly Field[]) =>
  `{${fields.map(({ name, value, space }) => `${space}${name}${space}:${space}${value}`).join(',')}}`

/** JSON texts without a name twice. */
const { json } = fc.letrec<{ json: string; object: string }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    strings,
    fc.constantFrom('null', 'true', '-1.50e+2', '0'),
    fc.array(tie('json'), { maxLength: 4 }).map((values) => `[${values.join(', ')}]`),
    tie('object'),
  ),
  object: fc
    .uniqueArray(fc.record({ name: names, value: tie('json'), space: spaces }), {
      maxLength: 4,
      selector: ({ name }) => JSON.parse(name),
    })
    .map(objectOf),
}))

describe('hasDuplicates', () => {
  it('finds none where there is none, whatever the text looks like', () => {
    fc.assert(
      fc.property(json, (text) => {
        expect(hasDuplicates(text, JSON.parse(text))).toBe(false)
      }),
      { numRuns: 2_000 },
    )
  })

  it('finds a name twice, at any depth and in any notation', () => {
    const containers = fc.constantFrom<(text: string) => string>(
      (text) => text,
      (text) => `[${text}]`,
      (text) => `{"status":"success","data":{"x":[{"y": ${text}}]}}`,
    )
    fc.assert(
      fc.property(names, json, json, containers, fc.boolean(), (name, first, second, wrap, escaped) => {
        const plain: string = JSON.parse(name)
        const again = escaped
          ? `"${Array.from({ length: plain.length }, (_, at) => escapeUnit(plain.charCodeAt(at))).join('')}"`
          : name
        const text = wrap(`{${name}:${first},"other":1 ,${again} : ${second}}`)
        expect(hasDuplicates(text, JSON.parse(text))).toBe(true)
      }),
      { numRuns: 2_000 },
    )
  })

  it('reads a long text of a million characters', () => {
    const text = JSON.stringify({ x: '\\":'.repeat(300_000), y: 'a'.repeat(300_000) }, null, 2)
    expect(hasDuplicates(text, JSON.parse(text))).toBe(false)
  })
})
