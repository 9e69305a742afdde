import fc from 'fast-check'
import { expect, it } from 'vitest'
import { costsOf } from '../../../test/support/cost.ts'
import { nearCodes } from './near-codes.ts'

const group = fc.string({
  unit: fc.constantFrom(...'ABCDEFGHJKLMNPQRSTUVWXYZ0123456789'),
  minLength: 4,
  maxLength: 4,
})
const code = fc.array(group, { minLength: 4, maxLength: 4 }).map((groups) => groups.join('-'))
const codesOf = (text: string, sample: string[]) => [...nearCodes(text, sample)].flatMap(({ codes }) => codes)

it('finds a code of the format of the shop with one character swapped, missing or too many', () => {
  fc.assert(
    fc.property(
      code,
      code,
      fc.nat(18),
      fc.constantFrom('swap', 'drop', 'double'),
      (meant, other, index, typo) => {
        const end = meant.slice(index + 1)
        const pasted = {
          swap: meant.slice(0, index) + end.slice(0, 1) + meant.charAt(index) + end.slice(1),
          drop: meant.slice(0, index) + end,
          double: meant.slice(0, index + 1) + meant.charAt(index) + end,
        }[typo]
        expect(codesOf(`code: ${pasted}.`, [other])).toContain(meant)
      },
    ),
  )
})

it('finds a code with spaces for dashes or without any, in either case', () => {
  fc.assert(
    fc.property(code, code, fc.constantFrom('', ' ', '\u2013'), fc.boolean(), (meant, other, dash, lower) => {
      const pasted = meant.replaceAll('-', dash)
      expect(codesOf(`“${lower ? pasted.toLowerCase() : pasted}”`, [other])).toContain(meant)
    }),
  )
})

it('finds a code with two characters that were confused with ones that look like them', () => {
  const like: Record<string, string> = { 0: 'O', O: '0', 1: 'I', L: '1', 8: 'B', B: '8', 5: 'S', S: '5' }
  fc.assert(
    fc.property(code, code, fc.nat(), fc.nat(), fc.boolean(), (meant, other, first, second, lower) => {
      const indexes = Array.from(meant, (_, index) => index).filter((index) => meant.charAt(index) in like)
      fc.pre(indexes.length >= 2)
      const changed = [first, second].map((index) => indexes[index % indexes.length])
      const pasted = Array.from(meant, (each, index) => (changed.includes(index) ? like[each] : each)).join(
        '',
      )
      expect(codesOf(lower ? pasted.toLowerCase() : pasted, [other])).toContain(meant)
    }),
  )
})

it('looks up at most some thousand codes, whatever was pasted', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme', maxLength: 4096 }),
      fc.array(code, { maxLength: 50 }),
      (text, sample) => {
        expect(codesOf(text, sample).length).toBeLessThanOrEqual(16_000)
      },
    ),
    { numRuns: 30 },
  )
  const words = Array.from({ length: 800 }, (_, index) => `A${index}`).join(' ')
  expect(codesOf(words, ['AAAA-1111-BBBB-2222']).length).toBeLessThanOrEqual(16_000)
})

const fill = (part: (index: number) => string) =>
  Array.from({ length: 4096 }, (_, index) => part(index))
    .join('')
    .slice(0, 4096)
const dashes = (index: number, at: number) => ((index >> (at % 7)) & 1 && at < 7 ? '-' : '')
const shops = {
  usual: Array.from({ length: 100 }, (_, index) => `AAAA-1111-BBBB-${1000 + index}`),
  'of many lengths': Array.from({ length: 100 }, (_, index) => 'AB1-C'.repeat(1 + (index % 12))),
  'of many forms': Array.from({ length: 100 }, (_, index) =>
    'AB12CD34EF56GH'.replace(/./g, (character, at) => character + dashes(index, at)),
  ),
}

it.each([
  ['words with digits', fill((index) => `A${index} `)],
  ['short codes', fill((index) => `ABC${1000 + index} `)],
  ['codes', fill((index) => `ABCD-EFGH-0${1000 + index} `)],
  ['words', fill(() => 'word ')],
  ['groups', fill(() => 'AB12 ')],
  ['dashes', fill(() => '-')],
  ['one word', fill(() => 'x')],
  ['dots in a word', `1${'.'.repeat(4094)}x`],
])('a text of many %s costs little more than one mistyped code', (_, text) => {
  const one = () => codesOf('AAAA-1111-BBBB-2223', shops.usual)
  const each = Object.values(shops).map((sample) => () => codesOf(text, sample))
  const [cost, ...costs] = costsOf([one, ...each])
  for (const found of costs) expect(found).toBeLessThan(30 * cost! + 1)
})
