import { expect, test } from 'vitest'
import { inRotations } from './rotations.ts'

const key = (id: string, replaces: string | null = null) => ({ id, replaces })
const groupsOf = (...keys: ReturnType<typeof key>[]) =>
  inRotations(keys).map((group) => group.map(({ id }) => id).join(' '))

test('a key is followed by those that it replaced, whatever their order', () => {
  expect(groupsOf(key('c', 'b'), key('other'), key('b', 'a'), key('a'))).toEqual(['c b a', 'other'])
  expect(groupsOf(key('a'), key('other'), key('b', 'a'), key('c', 'b'))).toEqual(['other', 'c b a'])
})

test('every key is in one group, once', () => {
  expect(groupsOf(key('b', 'a'), key('c', 'a'), key('a'))).toEqual(['b a', 'c'])
  // The key that it replaced is not in the list.
  expect(groupsOf(key('b', 'a'))).toEqual(['b'])
  expect(groupsOf(key('a', 'b'), key('b', 'a'), key('x', 'x'))).toEqual(['a b', 'x'])
})
