import fc from 'fast-check'
import { expect, it } from 'vitest'
import { nearCodes } from './near-codes.ts'

const group = fc.string({
  unit: fc.constantFrom(...'ABCDEFGHJKLMNPQRSTUVWXYZ0123456789'),
  minLength: 4,
  maxLength: 4,
})
const code = fc.array(group, { minLength: 4, maxLength: 4 }).map((groups) => groups.join('-'))
const codesOf = (text: string, sample: string[]) => nearCodes(text, sample).flatMap(({ codes }) => codes)

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
