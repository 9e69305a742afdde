import { PurchaseCodeParameterSchema } from '@saleproof/schema'
import fc from 'fast-check'
import * as v from 'valibot'
import { expect, it } from 'vitest'
import { isSameCode, readPurchaseCode } from './purchase-code.ts'

const anything = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc.string({ unit: 'grapheme', minLength: 240, maxLength: 270 }),
  fc.string(),
  fc.anything(),
)

it('accepts no code that the API rejects as malformed, and sends it as the API would read it', () => {
  fc.assert(
    fc.property(anything, (code) => {
      const read = readPurchaseCode(code)
      const parsed = v.safeParse(PurchaseCodeParameterSchema, code)
      if (read !== undefined) expect(parsed).toMatchObject({ success: true, output: read })
      else expect(!parsed.success || /\p{Cc}/u.test(parsed.output)).toBe(true)
    }),
    { numRuns: 2_000 },
  )
})

it('recognizes a code with other dashes, invisible characters or letter case', () => {
  expect(isSameCode('abcd\u2013ef\u200bgh', 'ABCD-EFGH')).toBe(true)
  expect(isSameCode('\uff21\uff22', 'AB')).toBe(true)
  expect(isSameCode('---', '---')).toBe(true)
  expect(isSameCode('---', '+++')).toBe(false)
  expect(isSameCode('ABCD-EFGH', 'ABCD-EFGI')).toBe(false)
})
