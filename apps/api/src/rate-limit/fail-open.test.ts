import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createFailOpen } from './fail-open.ts'

function setUp(retryMs: number) {
  const told: string[] = []
  const attempt = createFailOpen({
    retryMs,
    onOutage: (error) => void told.push(`out: ${(error as Error).message}`),
    onRecovery: () => void told.push('back'),
  })
  let asked = 0
  const ask = (answer: () => Promise<number>) =>
    attempt(() => {
      asked++
      return answer()
    })
  return { told, ask, asked: () => asked }
}

const works = async () => 7
const fails = async (): Promise<number> => {
  throw new Error('gone')
}

test('what is answered is given, and nothing told', async () => {
  const { told, ask } = setUp(1000)
  expect([await ask(works), await ask(works)]).toEqual([7, 7])
  expect(told).toEqual([])
})

test('an outage is told once, whoever asked at the same time, and then nobody waits or asks', async () => {
  const { told, ask, asked } = setUp(60_000)
  expect(await Promise.all([ask(fails), ask(fails), ask(fails)])).toEqual([undefined, undefined, undefined])
  for (let count = 0; count < 100; count++) expect(ask(works)).toBeUndefined()
  expect(told).toEqual(['out: gone'])
  expect(asked()).toBe(3)
})

test('one question at a time finds out whether there are answers again', async () => {
  const { told, ask, asked } = setUp(20)
  await ask(fails)
  await sleep(30)
  const never = () => new Promise<number>(() => {})
  expect([ask(never), ask(never), ask(never)]).toEqual([undefined, undefined, undefined])
  expect(asked()).toBe(2)
  await sleep(30)
  expect(ask(works)).toBeUndefined()
  await sleep(0)
  expect(await ask(works)).toBe(7)
  expect(told).toEqual(['out: gone', 'back'])
})
