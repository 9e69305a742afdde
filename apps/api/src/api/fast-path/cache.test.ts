import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createCache } from './cache.ts'

const name = fc.integer({ min: 0, max: 60 }).map(String)
const call = fc.oneof(
  fc.record({ do: fc.constant('set' as const), name, value: fc.string({ maxLength: 30 }) }),
  fc.record({ do: fc.constant('get' as const), name }),
)
const calls = fc.array(call, { maxLength: 300 })

const options = fc.oneof(
  fc.record({ capacity: fc.integer({ min: 2, max: 40 }) }),
  fc.record({
    capacity: fc.integer({ min: 20, max: 400 }),
    sizeOf: fc.constant((value: string) => value.length + 1),
  }),
)

describe('a cache', () => {
  test('returns the value that was set last under a name, or nothing', () => {
    const property = fc.property(options, calls, (given, made) => {
      const cache = createCache<string>(given.capacity, 'sizeOf' in given ? given.sizeOf : undefined)
      const model = new Map<string, string>()
      for (const one of made) {
        if (one.do === 'set') {
          cache.set(one.name, one.value)
          model.set(one.name, one.value)
        } else {
          const found = cache.get(one.name)
          if (found !== undefined) expect(found).toBe(model.get(one.name))
        }
      }
    })
    fc.assert(property, { numRuns: 500 })
  })

  test('holds no more than it may, by number and by size', () => {
    const property = fc.property(
      options,
      fc.array(fc.tuple(name, fc.string({ maxLength: 30 }))),
      (given, pairs) => {
        const cache = createCache<string>(given.capacity, 'sizeOf' in given ? given.sizeOf : undefined)
        for (const [key, value] of pairs) cache.set(key, value)
        // Asking moves entries about, which must not make them more.
        const names = [...new Set(pairs.map(([key]) => key))]
        const kept = names.flatMap((key) => cache.get(key) ?? [])
        if (!('sizeOf' in given)) expect(kept.length).toBeLessThanOrEqual(given.capacity + 1)
        else
          expect(kept.reduce((sum, value) => sum + value.length + 1, 0)).toBeLessThanOrEqual(given.capacity)
      },
    )
    fc.assert(property, { numRuns: 500 })
  })

  test('keeps what was set or read until half of it was set after', () => {
    const property = fc.property(fc.integer({ min: 2, max: 50 }), fc.nat(100), (half, before) => {
      const cache = createCache<number>(half * 2)
      for (let index = 0; index < before; index++) cache.set(`before ${index}`, index)
      cache.set('fresh', -1)
      for (let index = 0; index < half; index++) cache.set(`after ${index}`, index)
      expect(cache.get('fresh')).toBe(-1)
      for (let index = 0; index < half; index++) cache.set(`later ${index}`, index)
      expect(cache.get('fresh')).toBe(-1)
      for (let index = 0; index < half * 3; index++) cache.set(`much later ${index}`, index)
      expect(cache.get('fresh')).toBeUndefined()
    })
    fc.assert(property)
  })

  test('does not take a value that would fill half of it', () => {
    const cache = createCache<string>(100, ({ length }) => length)
    cache.set('kept', 'x'.repeat(50))
    cache.set('large', 'x'.repeat(51))
    expect(cache.get('large')).toBeUndefined()
    expect(cache.get('kept')).toBe('x'.repeat(50))
  })

  test('drops the old value of a name whose new one is too large', () => {
    const cache = createCache<string>(100, ({ length }) => length)
    cache.set('name', 'x')
    cache.set('name', 'x'.repeat(51))
    expect(cache.get('name')).toBeUndefined()
  })
})
