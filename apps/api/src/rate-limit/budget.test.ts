import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createLocalBudget, type Taken } from './budget.ts'

function setUp(count: number, seconds: number, more: { maxNames?: number } = {}) {
  const clock = { now: 1_000_000 }
  const budget = createLocalBudget({ limit: { count, seconds }, now: () => clock.now, ...more })
  return {
    clock,
    take: (name = 'a') => budget.take(name) as Taken,
    giveBack: (name = 'a') => budget.giveBack(name),
  }
}

describe('a budget', () => {
  test('is what the limit says, in a window that begins with the first that is taken', () => {
    const { clock, take } = setUp(3, 10)
    clock.now += 4321
    const resetAt = clock.now + 10_000
    expect([take(), take(), take(), take(), take()]).toEqual([
      { allowed: true, remaining: 2, resetAt },
      { allowed: true, remaining: 1, resetAt },
      { allowed: true, remaining: 0, resetAt },
      { allowed: false, remaining: 0, resetAt },
      { allowed: false, remaining: 0, resetAt },
    ])
    clock.now = resetAt - 1
    expect(take().allowed).toBe(false)
    clock.now = resetAt
    expect(take()).toEqual({ allowed: true, remaining: 2, resetAt: resetAt + 10_000 })
  })

  test('is one for each name', () => {
    const { take } = setUp(1, 10)
    expect([take('a').allowed, take('b').allowed, take('a').allowed, take('b').allowed]).toEqual([
      true,
      true,
      false,
      false,
    ])
  })

  test('never gives more in a window than it has, nor less', () => {
    const steps = fc.array(fc.tuple(fc.nat(4000), fc.constantFrom('a', 'b', 'c')), { maxLength: 200 })
    const property = fc.property(fc.integer({ min: 1, max: 5 }), steps, (count, taken) => {
      const { clock, take } = setUp(count, 10)
      const windows = new Map<string, { began: number; used: number }>()
      for (const [wait, name] of taken) {
        clock.now += wait
        const open = windows.get(name)
        const window = open && clock.now < open.began + 10_000 ? open : { began: clock.now, used: 0 }
        windows.set(name, window)
        const allowed = window.used < count
        if (allowed) window.used++
        expect(take(name)).toEqual({
          allowed,
          remaining: count - window.used,
          resetAt: window.began + 10_000,
        })
      }
    })
    fc.assert(property)
  })

  test('has again what was given back, and never more than it had', () => {
    const { clock, take, giveBack } = setUp(2, 10)
    giveBack()
    expect([take().remaining, take().remaining, take().allowed]).toEqual([1, 0, false])
    giveBack()
    expect([take().allowed, take().allowed]).toEqual([true, false])
    for (const _ of [1, 2, 3]) giveBack()
    expect([take().allowed, take().allowed, take().allowed]).toEqual([true, true, false])
    clock.now += 10_000
    giveBack()
    expect([take().remaining, take().remaining, take().allowed]).toEqual([1, 0, false])
  })

  test('is whole again after a clock was set forward', () => {
    const { clock, take } = setUp(1, 10)
    take()
    clock.now += 86_400_000
    expect(take()).toEqual({ allowed: true, remaining: 0, resetAt: clock.now + 10_000 })
    expect(take().allowed).toBe(false)
  })

  test('is not lost for longer than its window when a clock was set back', () => {
    const { clock, take } = setUp(1, 10)
    take()
    expect(take().allowed).toBe(false)
    clock.now -= 86_400_000
    expect(take()).toEqual({ allowed: true, remaining: 0, resetAt: clock.now + 10_000 })
    expect(take().allowed).toBe(false)
    clock.now += 10_000
    expect(take().allowed).toBe(true)
  })

  test('keeps no name for longer than two windows', () => {
    const { clock, take } = setUp(1, 10)
    // A name that is forgotten costs nothing: a million of them would otherwise be felt.
    for (let round = 0; round < 50; round++) {
      for (let index = 0; index < 2000; index++) take(`${round} ${index} ${'x'.repeat(200)}`)
      clock.now += 10_000
    }
    const before = process.memoryUsage().heapUsed
    let least = Number.POSITIVE_INFINITY
    for (let round = 50; round < 350; round++) {
      for (let index = 0; index < 2000; index++) take(`${round} ${index} ${'x'.repeat(200)}`)
      clock.now += 10_000
      if (round >= 250) least = Math.min(least, process.memoryUsage().heapUsed)
    }
    // 400,000 names of some 200 bytes and a window each would be more than 100 MB.
    expect(least - before).toBeLessThan(60_000_000)
  })

  test('keeps the latest names up to its maximum', () => {
    const { take } = setUp(1, 10, { maxNames: 1000 })
    for (let index = 0; index < 5000; index++) take(`${index}`)
    const kept = (index: number) => !take(`${index}`).allowed
    expect([kept(4999), kept(4750), kept(4501)]).toEqual([true, true, true])
    expect([kept(0), kept(2000), kept(3999)]).toEqual([false, false, false])
  })
})
