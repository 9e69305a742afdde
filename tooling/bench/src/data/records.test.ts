import { expect, test } from 'vitest'
import { scenarios } from '../load/scenarios.ts'
import { dataSets } from './data-sets.ts'
import { createRecords, itemOfPurchase, purchaseCode, workspaceOfItem } from './records.ts'

const { small, large } = dataSets

function countBy<T>(values: Iterable<T>): Map<T, number> {
  const counts = new Map<T, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return counts
}

const itemsOf = (dataSet: typeof small | typeof large) =>
  Array.from({ length: dataSet.items }, (_, item) => workspaceOfItem(dataSet, item))

test('the large set has fifty workspaces, one of them with ten thousand items', () => {
  const counts = countBy(itemsOf(large))
  expect(counts.size).toBe(50)
  expect(counts.get(0)).toBe(10_000)
  expect(Math.max(...[...counts.values()].slice(1))).toBeLessThan(1000)
})

const requestsOf = (name: string, dataSet: typeof small | typeof large) =>
  scenarios.find((scenario) => scenario.name === name)?.requests(dataSet, 'none') ?? []
const keysIn = (requests: readonly string[]) =>
  new Set(requests.map((request) => /^Authorization: .*$/m.exec(request)?.[0]))

test('a run requests every item of every workspace', () => {
  const requests = requestsOf('item', large)
  expect(new Set(requests).size).toBe(45_000)
  expect(keysIn(requests).size).toBe(50)
  expect(new Set(requestsOf('item', small)).size).toBe(100)
})

test('a run requests 200,000 codes of all workspaces', () => {
  const requests = requestsOf('validate', large)
  expect(new Set(requests).size).toBe(200_000)
  expect(keysIn(requests).size).toBe(50)
  expect(new Set(requestsOf('validate', small)).size).toBeGreaterThan(900)
})

test('the same index gives the same record', () => {
  expect(purchaseCode(0)).toBe('123c1088-9be0-e9f1-2b05-ec8d6e532350')
  expect([...createRecords(small)]).toEqual([...createRecords(small)])
})

test('an item is about one and a half kilobytes', () => {
  const items = [...createRecords(small)].filter(({ type }) => type === 'item')
  const sizes = items.map((item) => JSON.stringify(item).length)
  const mean = sizes.reduce((sum, size) => sum + size, 0) / sizes.length
  expect(mean).toBeGreaterThan(1300)
  expect(mean).toBeLessThan(2000)
})

test('purchases are spread over all items', () => {
  const counts = countBy(Array.from({ length: small.purchases }, (_, index) => itemOfPurchase(small, index)))
  expect([...counts.values()]).toEqual(Array(100).fill(10))
})
