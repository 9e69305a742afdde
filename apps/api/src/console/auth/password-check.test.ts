import { hash } from '@node-rs/argon2'
import { expect, test } from 'vitest'
import { processorCostsOf } from '../../../test/support/cost.ts'
import { hashPassword } from '../../crypto/password.ts'
import { createPasswordCheck } from './password-check.ts'

const typed = 'correct horse battery staple'
const options = { database: { read: async () => [] }, clock: () => new Date() }

test('only the stored password matches, and nothing where none is stored', async () => {
  const { matches } = createPasswordCheck(options)
  const stored = await hashPassword(typed)
  const answers = [
    await matches(stored, typed),
    await matches(stored, `${typed} `),
    await matches(null, typed),
    await matches(undefined, ''),
    await matches('not a hash', typed),
  ]
  expect(answers).toEqual([true, false, false, false, false])
})

test('a nonexistent account costs as much as an existing one', async () => {
  const { matches } = createPasswordCheck(options)
  const stored = await hashPassword('another password')
  const [known = 0, unknown = 0] = await processorCostsOf(
    [stored, undefined].map((hash) => () => matches(hash, typed)),
  )
  expect(unknown / known).toBeGreaterThan(0.6)
  expect(unknown / known).toBeLessThan(1.6)
})

test('a hash with other parameters costs as much as one with ours, or as none', async () => {
  const weak = await hash('another password', { memoryCost: 4096, timeCost: 1, parallelism: 1 })
  const strong = await hash('another password', { memoryCost: 19 * 1024, timeCost: 8, parallelism: 1 })
  const own = await hashPassword('another password')
  const read = async <Row>() => [{ passwordHash: weak }, { passwordHash: strong }] as Row[]
  const { matches } = createPasswordCheck({ database: { read }, clock: () => new Date() })
  const [unknown = 0, ...known] = await processorCostsOf(
    [undefined, weak, strong, own].map(
      (stored) => async () => expect(await matches(stored, typed)).toBe(false),
    ),
  )
  for (const each of known) {
    expect(each / unknown).toBeGreaterThan(0.6)
    expect(each / unknown).toBeLessThan(1.6)
  }
  expect(await matches(weak, 'another password')).toBe(true)
})

test('a crowd waits for its turn, and past that is sent away', async () => {
  const { matches } = createPasswordCheck(options)
  const stored = await hashPassword(typed)
  await matches(stored, typed)
  const all = await Promise.allSettled(Array.from({ length: 40 }, () => matches(stored, typed)))
  const refused = all.filter(({ status }) => status === 'rejected')
  expect(refused).toHaveLength(40 - 22)
  expect(refused[0]).toMatchObject({ reason: { code: 'busy' } })
  expect(await matches(stored, typed)).toBe(true)
})

test('a flood of strangers stops no browser that has signed in before', async () => {
  const { matches } = createPasswordCheck(options)
  const stored = await hashPassword(typed)
  const order: string[] = []
  const flood = Array.from({ length: 100 }, async () => {
    await matches(undefined, typed)
    order.push('stranger')
  })
  const known = ['ada', 'ada', 'bob'].map(async (account) => {
    expect(await matches(stored, typed, account)).toBe(true)
    order.push(account)
  })
  await Promise.all([...known, Promise.allSettled(flood)])
  expect(
    order
      .slice(0, 10)
      .filter((each) => each !== 'stranger')
      .sort(),
  ).toEqual(['ada', 'ada', 'bob'])
})
