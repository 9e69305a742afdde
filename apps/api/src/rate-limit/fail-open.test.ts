import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createFailOpen } from './fail-open.ts'

function setUp(retryMs: number) {
  const reported: string[] = []
  const attempt = createFailOpen({
    retryMs,
    onOutage: (error) => void reported.push(`out: ${(error as Error).message}`),
    onRecovery: () => void reported.push('back'),
  })
  let called = 0
  const ask = (answer: () => Promise<number>) =>
    attempt(() => {
      called++
      return answer()
    })
  return { reported, ask, called: () => called }
}

const works = async () => 7
const fails = async (): Promise<number> => {
  throw new Error('gone')
}

test('returns results and reports nothing while calls succeed', async () => {
  const { reported, ask } = setUp(1000)
  expect([await ask(works), await ask(works)]).toEqual([7, 7])
  expect(reported).toEqual([])
})

test('reports an outage once for concurrent calls, then neither waits nor calls', async () => {
  const { reported, ask, called } = setUp(60_000)
  expect(await Promise.all([ask(fails), ask(fails), ask(fails)])).toEqual([undefined, undefined, undefined])
  for (let count = 0; count < 100; count++) expect(ask(works)).toBeUndefined()
  expect(reported).toEqual(['out: gone'])
  expect(called()).toBe(3)
})

test('tries one call at a time until one succeeds', async () => {
  const { reported, ask, called } = setUp(20)
  await ask(fails)
  await sleep(30)
  const never = () => new Promise<number>(() => {})
  expect([ask(never), ask(never), ask(never)]).toEqual([undefined, undefined, undefined])
  expect(called()).toBe(2)
  await sleep(30)
  expect(ask(works)).toBeUndefined()
  await sleep(0)
  expect(await ask(works)).toBe(7)
  expect(reported).toEqual(['out: gone', 'back'])
})
