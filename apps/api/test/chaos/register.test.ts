import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createRegister } from './register.ts'

const now = () => performance.now()

test('a register allows what a read may see, and nothing else', async () => {
  const register = createRegister('a')
  const before = now()
  expect(register.see('b', before)).toBe(false)
  const acknowledge = register.write('b')
  expect(register.see('a', now())).toBe(true)
  expect(register.isSettled('a')).toBe(false)
  await sleep(2)
  acknowledge()
  await sleep(2)
  expect(['a', 'b'].map((value) => register.see(value, now()))).toEqual([false, true])
  // A read that began before the write.
  expect(register.see('a', before)).toBe(true)
  expect(register.isSettled('b')).toBe(true)
})

test('a write that failed may show for ever, and once it has shown it stays', async () => {
  const register = createRegister('a')
  register.write('b')
  register.write('c')()
  await sleep(2)
  expect(['a', 'c', 'b'].map((value) => register.see(value, now()))).toEqual([false, true, true])
  await sleep(2)
  expect(['b', 'c'].map((value) => register.see(value, now()))).toEqual([true, false])
})
