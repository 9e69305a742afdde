import { readFileSync } from 'node:fs'
import { PurchaseCodeParameterSchema } from '@saleproof/schema'
import fc from 'fast-check'
import * as v from 'valibot'
import { expect, it } from 'vitest'
import { readPurchaseCode } from './purchase-code.ts'

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

const { codes }: { codes: { name: string; sent: string; form: string | null }[] } = JSON.parse(
  readFileSync(new URL('../../../clients/codes.json', import.meta.url), 'utf8'),
)

it.each(codes)('has the form of every client: $name', ({ sent, form }) => {
  expect(readPurchaseCode(sent)).toBe(form ?? undefined)
})
