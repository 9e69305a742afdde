import fc from 'fast-check'
import { expect, test } from 'vitest'
import { mutate } from './mutate.ts'
import { createRandom } from './random.ts'

const bytes = fc.uint8Array({ maxLength: 80 }).map((array) => Buffer.from(array))

test('a mutation stays within its length, does not modify the input, and is the same for a seed', () => {
  const property = fc.property(
    bytes,
    bytes,
    fc.nat(),
    fc.integer({ min: 1, max: 60 }),
    (input, other, seed, maxLength) => {
      const before = Buffer.from(input)
      const change = () =>
        mutate(input, {
          random: createRandom(seed),
          tokens: ['token', '\r\n'],
          maxLength,
          other: () => other,
        })
      const changed = change()
      expect(changed.length).toBeLessThanOrEqual(maxLength)
      expect(input.equals(before)).toBe(true)
      expect(change().equals(changed)).toBe(true)
    },
  )
  fc.assert(property, { numRuns: 2000 })
})

test('every byte and every token can appear', () => {
  const random = createRandom(3)
  const seen = new Set<number>()
  let tokens = 0
  for (let count = 0; count < 20_000; count++) {
    const changed = mutate(Buffer.from('a'), {
      random,
      tokens: ['known-word'],
      maxLength: 40,
      other: () => Buffer.from('b'),
    })
    for (const byte of changed) seen.add(byte)
    if (changed.includes('known-word')) tokens++
  }
  expect(seen.size).toBe(256)
  expect(tokens).toBeGreaterThan(1000)
})
