import { validationOutcomes } from '@saleproof/schema/console'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { colourOf, outcomes, present, stack, sumOf } from './outcomes.ts'

const counts = fc.record({
  ...{ valid: fc.nat(), not_found: fc.nat(), not_active: fc.nat() },
  ...{ refused: fc.nat(), limited: fc.nat(), failed: fc.nat() },
})

test('every outcome is shown, in a colour of its own', () => {
  expect([...outcomes].sort()).toEqual([...validationOutcomes].sort())
  expect(new Set(Object.values(colourOf)).size).toBe(validationOutcomes.length)
})

test('what is left out of the chart is nothing', () => {
  fc.assert(
    fc.property(counts, (total) => {
      expect(sumOf(total, present(total))).toBe(sumOf(total))
    }),
  )
})

test('the last of a stack is the sum of all', () => {
  const lists = fc
    .nat({ max: 20 })
    .chain((length) =>
      fc.array(fc.array(fc.nat(), { minLength: length, maxLength: length }), { minLength: 1 }),
    )
  fc.assert(
    fc.property(lists, (all) => {
      const sums = all[0]!.map((_, at) => all.reduce((sum, list) => sum + list[at]!, 0))
      expect(stack(all).at(-1)).toEqual(sums)
      expect(stack(all)[0]).toEqual(all[0])
    }),
  )
})
