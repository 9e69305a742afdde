import fc from 'fast-check'
import { expect, test } from 'vitest'
import { shrink } from './shrink.ts'

test('the result still fails, and every byte of it is needed', async () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', 'c', '\n'), maxLength: 60 })
  const property = fc.asyncProperty(text, async (input) => {
    const fails = async (given: Buffer) => (String(given).match(/[ab]/g) ?? []).length >= 2
    const given = Buffer.from(`${input}ab`)
    const smallest = await shrink(given, fails, { tries: 2000 })
    expect(await fails(smallest)).toBe(true)
    expect(smallest.length).toBe(2)
  })
  await fc.assert(property)
})

test('it stops after so many tries', async () => {
  let tries = 0
  const input = Buffer.alloc(1000, 'x')
  await shrink(input, async () => ++tries < 0, { tries: 10 })
  expect(tries).toBe(10)
})
