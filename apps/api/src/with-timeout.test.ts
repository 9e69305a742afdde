import { stat } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { TimeoutError, withTimeout } from './with-timeout.ts'

const forever = new Promise<never>(() => {})

function beBusy(ms: number) {
  const end = performance.now() + ms
  while (performance.now() < end);
}

test('an answer that takes too long is none', async () => {
  await expect(withTimeout(forever, 5)).rejects.toBeInstanceOf(TimeoutError)
})

test('an answer and an error are passed on', async () => {
  await expect(withTimeout(Promise.resolve(7), 1000)).resolves.toBe(7)
  await expect(withTimeout(Promise.reject(new Error('no')), 1000)).rejects.toThrow('no')
})

test('an answer that came while the process was busy came in time', async () => {
  const answer = withTimeout(stat('.'), 10)
  beBusy(100)
  expect((await answer).isDirectory()).toBe(true)
})
