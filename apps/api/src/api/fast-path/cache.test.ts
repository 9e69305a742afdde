import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createCache } from './cache.ts'

const name = fc.integer({ min: 0, max: 60 }).map(String)
const call = fc.oneof(
  fc.record({ do: fc.constant('set' as const), name, value: fc.string({ maxLength: 30 }) }),
  fc.record({ do: fc.constant('get' as const), name }),
  fc.record({ do: fc.constant('delete' as const), name }),
)
const calls = fc.array(call, { maxLength: 300 })

const options = fc.oneof(
  fc.record({ entries: fc.integer({ min: 2, max: 40 }) }),
  fc.record({
    bytes: fc.integer({ min: 20, max: 400 }),
    sizeOf: fc.constant((value: string) => value.length + 1),
  }),
)

describe('a cache', () => {
  test('returns the value that was set last under a name, or nothing', () => {
    const property = fc.property(options, calls, (given, made) => {
      const cache = createCache<string>(given)
      const model = new Map<string, string>()
      for (const one of made) {
        if (one.do === 'set') {
          cache.set(one.name, one.value)
          model.set(one.name, one.value)
        } else if (one.do === 'delete') {
          cache.delete(one.name)
          model.delete(one.name)
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
        const cache = createCache<string>(given)
        for (const [key, value] of pairs) cache.set(key, value)
        // Asking moves entries about, which must not make them more.
        const names = [...new Set(pairs.map(([key]) => key))]
        const kept = names.flatMap((key) => cache.get(key) ?? [])
        if ('entries' in given) expect(kept.length).toBeLessThanOrEqual(given.entries + 1)
        else expect(kept.reduce((sum, value) => sum + value.length + 1, 0)).toBeLessThanOrEqual(given.bytes)
      },
    )
    fc.assert(property, { numRuns: 500 })
  })

  test('counts what it holds and how often it was read', () => {
    const property = fc.property(options, calls, (given, made) => {
      const cache = createCache<string>(given)
      const model = new Map<string, string>()
      const asked = { hits: 0, misses: 0 }
      for (const one of made) {
        if (one.do === 'set') {
          cache.set(one.name, one.value)
          model.set(one.name, one.value)
        } else if (one.do === 'delete') cache.delete(one.name)
        else asked[cache.get(one.name) === undefined ? 'misses' : 'hits']++
      }
      expect(cache.stats()).toMatchObject(asked)
      for (let number = 0; number <= 60; number++) {
        const before = cache.stats()
        cache.delete(String(number))
        const { entries, bytes } = cache.stats()
        expect([0, 1]).toContain(before.entries - entries)
        const size = before.entries === entries ? 0 : model.get(String(number))!.length + 1
        if ('bytes' in given) expect(before.bytes! - bytes!).toBe(size)
      }
      expect(cache.stats()).toMatchObject({ entries: 0, bytes: 'bytes' in given ? 0 : undefined })
    })
    fc.assert(property, { numRuns: 500 })
  })

  test('keeps what was set or read until half of it was set after', () => {
    const property = fc.property(fc.integer({ min: 2, max: 50 }), fc.nat(100), (half, before) => {
      const cache = createCache<number>({ entries: half * 2 })
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
    const cache = createCache<string>({ bytes: 100, sizeOf: ({ length }) => length })
    cache.set('kept', 'x'.repeat(50))
    cache.set('large', 'x'.repeat(51))
    expect(cache.get('large')).toBeUndefined()
    expect(cache.get('kept')).toBe('x'.repeat(50))
  })

  test('drops the old value of a name whose new one is too large', () => {
    const cache = createCache<string>({ bytes: 100, sizeOf: ({ length }) => length })
    cache.set('name', 'x')
    cache.set('name', 'x'.repeat(51))
    expect(cache.get('name')).toBeUndefined()
  })

  test('forgets an entry whichever half it is in', () => {
    const cache = createCache<number>({ entries: 4 })
    cache.set('a', 1)
    cache.set('b', 2)
    cache.set('c', 3)
    for (const name of ['a', 'b', 'c']) {
      cache.delete(name)
      expect(cache.get(name)).toBeUndefined()
    }
  })
})
