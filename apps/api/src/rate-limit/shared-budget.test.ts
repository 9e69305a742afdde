import { setImmediate as turn } from 'node:timers/promises'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Taken } from './budget.ts'
import { createCoordinator } from './coordinator.ts'
import { createSharedBudget } from './shared-budget.ts'

interface Setting {
  count: number
  processes: number
  /** Which processes answer when a part is called back. */
  answers?: (process: number) => boolean
}

/** Processes that share a budget, with the turns of the event loop that a message between them takes. */
function setUp({ count, processes, answers = () => true }: Setting) {
  const clock = { now: 1_000_000 }
  const options = { limit: { count, seconds: 10 }, now: () => clock.now }
  const coordinator = createCoordinator({
    ...options,
    processes: () => processes,
    async recall(process, name, resetAt) {
      await turn()
      const left = answers(process) ? budgets[process]!.release(name, resetAt) : 0
      await turn()
      return left
    },
  })
  const budgets = Array.from({ length: processes }, (_, process) =>
    createSharedBudget({
      ...options,
      async lease(name) {
        await turn()
        const lease = await coordinator.lease(name, process)
        await turn()
        return lease
      },
    }),
  )
  return {
    clock,
    take: async (process: number, name = 'a') => (await budgets[process]!.take(name)) as Taken,
    giveBack: (process: number, name = 'a') => budgets[process]!.giveBack(name),
  }
}

const setting = fc.record({
  count: fc.integer({ min: 1, max: 300 }),
  processes: fc.integer({ min: 1, max: 5 }),
})
const allowedOf = (taken: { allowed: boolean }[]) => taken.filter(({ allowed }) => allowed).length

describe('a budget that processes share', () => {
  test('gives exactly what the limit says, however the takers are spread', async () => {
    const takers = fc.array(fc.nat(4), { minLength: 1, maxLength: 400 })
    const property = fc.asyncProperty(setting, takers, fc.boolean(), async (given, by, together) => {
      const { take } = setUp(given)
      const who = by.map((process) => process % given.processes)
      const taken: { allowed: boolean; remaining: number }[] = []
      if (together) taken.push(...(await Promise.all(who.map((process) => take(process)))))
      else for (const process of who) taken.push(await take(process))
      expect(allowedOf(taken)).toBe(Math.min(given.count, who.length))
      for (const { remaining } of taken) {
        expect(remaining).toBeGreaterThanOrEqual(0)
        expect(remaining).toBeLessThan(given.count)
      }
    })
    await fc.assert(property, { numRuns: 60 })
  })

  test('has again what a process gave back', async () => {
    const { take, giveBack } = setUp({ count: 10, processes: 2 })
    for (let index = 0; index < 100; index++) {
      expect((await take(index % 2)).allowed).toBe(true)
      giveBack(index % 2)
    }
    const taken: Taken[] = []
    for (let index = 0; index < 14; index++) taken.push(await take(index % 2))
    expect(allowedOf(taken)).toBe(10)
  })

  test('is whole again in the next window, for every process', async () => {
    const { clock, take } = setUp({ count: 10, processes: 2 })
    const round = async () => {
      const taken = []
      for (let index = 0; index < 24; index++) taken.push(await take(index % 2))
      return taken
    }
    for (let window = 0; window < 4; window++) {
      const taken = await round()
      expect(allowedOf(taken)).toBe(10)
      expect(taken.at(-1)).toEqual({ allowed: false, remaining: 0, resetAt: clock.now + 10_000 })
      clock.now += 10_000
    }
    // Set back by a day: a new window, as long as any.
    clock.now -= 86_400_000
    expect(allowedOf(await round())).toBe(10)
    clock.now += 10_000
    expect(allowedOf(await round())).toBe(10)
  })

  test('is never exceeded because of a process that does not answer', async () => {
    const { take } = setUp({ count: 100, processes: 3, answers: (process) => process !== 2 })
    const taken = [await take(2)]
    for (let index = 0; index < 300; index++) taken.push(await take(index % 2))
    expect(allowedOf(taken)).toBeLessThanOrEqual(100)
    expect(allowedOf(taken)).toBeGreaterThan(50)
  })

  test('takes from its lease without asking the coordinator', () => {
    const { take } = setUp({ count: 1000, processes: 2 })
    return take(0).then(async () => {
      let turns = 0
      const counting = (async () => {
        for (; turns < 3; turns++) await turn()
      })()
      expect((await take(0)).allowed).toBe(true)
      expect(turns).toBe(0)
      await counting
    })
  })
})
