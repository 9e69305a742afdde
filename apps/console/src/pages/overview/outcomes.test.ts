import { validationOutcomes } from '@saleproof/schema/console/constants'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { outcomeColors, presentOutcomes, stack, sumOutcomes } from './outcomes.ts'

const counts = fc.record({
  valid: fc.nat(),
  not_found: fc.nat(),
  not_active: fc.nat(),
  refused: fc.nat(),
  limited: fc.nat(),
  failed: fc.nat(),
})

test('every outcome has a colour of its own', () => {
  expect(new Set(Object.values(outcomeColors)).size).toBe(validationOutcomes.length)
})

test('outcomes left out of the chart have no counts', () => {
  fc.assert(
    fc.property(counts, (total) => {
      expect(sumOutcomes(total, presentOutcomes(total))).toBe(sumOutcomes(total))
    }),
  )
})

test('the last series of a stack is the sum of all', () => {
  const lists = fc
    .nat({ max: 20 })
    .chain((length) =>
      fc.array(fc.array(fc.nat(), { minLength: length, maxLength: length }), { minLength: 1 }),
    )
  fc.assert(
    fc.property(lists, (all) => {
      const sums = all[0]!.map((_, index) => all.reduce((sum, list) => sum + list[index]!, 0))
      const stacked = stack(all.map((values) => ({ values })))
      expect(stacked.at(-1)?.values).toEqual(sums)
      expect(stacked[0]?.values).toEqual(all[0])
    }),
  )
})
