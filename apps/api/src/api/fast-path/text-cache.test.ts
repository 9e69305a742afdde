import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createTextCache } from './text-cache.ts'

const capacity = 40

const step = fc.record({
  action: fc.constantFrom('set', 'set', 'get'),
  key: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'),
  tag: fc.constantFrom('1', '2'),
  text: fc.string({ unit: fc.constantFrom('x', 'é', '€', '𝄞'), maxLength: 20 }),
})

test('gives what was set last under a tag, or nothing', () => {
  let hits = 0
  const property = fc.property(fc.array(step, { minLength: 20, maxLength: 100 }), (steps) => {
    const cache = createTextCache<number>(capacity)
    const model = new Map<string, { tag: string; text: string; value: number }>()
    for (const [value, { action, key, tag, text }] of steps.entries()) {
      if (action === 'set') {
        const { length } = cache.set(key, tag, text, value)
        model.set(key, { tag, text, value })
        // Whatever else is overwritten, the latest is there.
        expect(cache.get(key, tag)?.text).toBe(length <= capacity ? text : undefined)
      } else {
        const found = cache.get(key, tag)
        if (found) hits++
        const known = model.get(key)
        const expected = known?.tag === tag && { ...known, length: Buffer.byteLength(known.text) }
        if (found) expect({ ...found, tag }).toEqual(expected)
      }
    }
  })
  fc.assert(property, { numRuns: 500 })
  expect(hits).toBeGreaterThan(500)
})

test('overwrites the oldest', () => {
  const cache = createTextCache<null>(10)
  for (const key of ['a', 'b', 'c']) cache.set(key, '', key.repeat(5), null)
  expect(['a', 'b', 'c'].map((key) => cache.get(key, '')?.text)).toEqual([undefined, 'bbbbb', 'ccccc'])
})

test('does not keep a text that is larger than everything', () => {
  const cache = createTextCache<null>(10)
  cache.set('a', '', 'aaaaa', null)
  expect(cache.set('b', '', 'b'.repeat(11), null)).toEqual({ text: 'b'.repeat(11), length: 11, value: null })
  expect(cache.get('a', '')?.text).toBe('aaaaa')
  cache.set('a', '', 'a'.repeat(11), null)
  expect(cache.get('a', '')).toBeUndefined()
})
