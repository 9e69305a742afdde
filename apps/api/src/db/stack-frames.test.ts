import { expect, test } from 'vitest'
import { errorName, stackFrames } from './stack-frames.ts'

const secret = 'sp_a_secret'

test('the frames of a stack are given, and nothing of the message', () => {
  const frames = stackFrames(new Error(`cannot ${secret}\n    at ${secret} (/${secret}.js:1:1)`))
  expect(frames[0]).toMatch(/^ {4}at .*frames\.test\.ts:\d+:\d+\)?$/)
  expect(frames.join()).not.toContain(secret)
})

test('a message that was changed afterwards leaves no line of the first that is no place', () => {
  const error = new Error(`${secret}\n    at ${secret}\n   at (${secret})`)
  error.message = 'another'
  expect(stackFrames(error).join()).not.toContain(secret)
})

test.each([undefined, null, 'text', 7, {}, { stack: 7 }, Object.create(null)])('%o has none', (thrown) => {
  expect(stackFrames(thrown)).toEqual([])
  expect(errorName(thrown)).toBe('error')
})

test('names are names', () => {
  expect(errorName(new TypeError(secret))).toBe('TypeError')
  expect(errorName(Object.assign(new Error(secret), { code: 'SQLITE_FULL' }))).toBe('Error SQLITE_FULL')
  expect(errorName(Object.assign(new Error(), { name: `with ${secret}`, code: { secret } }))).toBe('error')
})
