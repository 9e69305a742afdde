import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { createFairQueue } from './fair-queue.ts'

const full = () => new Error('full')

/** A queue whose tasks end when the test says so. */
function setUp(limits: Omit<Parameters<typeof createFairQueue>[0], 'full'>) {
  const run = createFairQueue({ ...limits, full })
  const started: string[] = []
  const running: { owner: string; end: () => void }[] = []
  const settled: Promise<unknown>[] = []
  const refused: string[] = []
  function add(owner: string) {
    const task = run(owner, async () => {
      started.push(owner)
      await new Promise<void>((resolve) => running.push({ owner, end: resolve }))
    })
    settled.push(task.catch(() => refused.push(owner)))
  }
  const turn = () => new Promise((resolve) => setImmediate(resolve))
  async function end(index = 0) {
    running.splice(index, 1)[0]?.end()
    await turn()
  }
  return { add, end, turn, started, running, refused, settled }
}

test('an owner who waits gets the next turn, however many another owner waits for', async () => {
  const queue = setUp({ running: 2, ofOwner: 2, waitingOfOwner: 60 })
  for (let count = 0; count < 60; count++) queue.add('greedy')
  queue.add('other')
  await queue.turn()
  expect(queue.started).toEqual(['greedy', 'greedy'])
  await queue.end()
  await queue.end()
  expect(queue.started.slice(2).sort()).toEqual(['greedy', 'other'])
})

test('owners take turns', async () => {
  const queue = setUp({ running: 1, ofOwner: 1, waitingOfOwner: 10 })
  for (const owner of [...'aaaabbbbcc']) queue.add(owner)
  await queue.turn()
  while (queue.running.length) await queue.end()
  expect(queue.started.join('')).toBe('aabcabcabb')
})

test('past its bound an owner is refused, and no other owner', async () => {
  const queue = setUp({ running: 1, ofOwner: 1, waitingOfOwner: 2 })
  for (const owner of [...'aaaaab']) queue.add(owner)
  await queue.turn()
  expect(queue.refused.join('')).toBe('aa')
  while (queue.running.length) await queue.end()
  expect(queue.started.join('')).toBe('aaba')
  const refusing = createFairQueue({ running: 1, ofOwner: 1, waitingOfOwner: 0, full })
  void refusing('a', () => new Promise(() => {}))
  await expect(refusing('a', async () => {})).rejects.toThrow('full')
})

test('a task that waits too long is refused, and those behind it are not', async () => {
  const queue = setUp({ running: 1, ofOwner: 1, waitingOfOwner: 2, timeoutMs: 20 })
  for (const owner of [...'aab']) queue.add(owner)
  await vi.waitUntil(() => queue.refused.length === 2, { timeout: 60_000 })
  queue.add('c')
  await queue.end()
  expect(queue.started.join('')).toBe('ac')
})

test('more owners than may run at once wait for each other, though none of them may wait for itself', async () => {
  const queue = setUp({ running: 8, ofOwner: 2, waitingOfOwner: 0 })
  for (const owner of 'aabbccddee') queue.add(owner)
  await queue.turn()
  expect([queue.started.join(''), queue.refused]).toEqual(['aabbccdd', []])
  await queue.end()
  await queue.end()
  expect([queue.started.length, queue.running.length]).toEqual([10, 8])
})

test('a task that fails ends its turn, and its error arrives', async () => {
  const run = createFairQueue({ running: 1, ofOwner: 1, waitingOfOwner: 2, full })
  const failing = run('a', () => Promise.reject(new Error('broken')))
  const next = run('a', async () => 'done')
  await expect(failing).rejects.toThrow('broken')
  expect(await next).toBe('done')
})

test('whatever the order: no limit is passed, and everything that was taken runs', async () => {
  const step = fc.oneof(
    fc.constantFrom('a', 'b', 'c').map((add) => ({ add })),
    fc.nat(5).map((end) => ({ end })),
  )
  const property = fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
    const queue = setUp({ running: 3, ofOwner: 2, waitingOfOwner: 4 })
    const check = () => {
      expect(queue.running.length).toBeLessThanOrEqual(3)
      for (const owner of 'abc')
        expect(queue.running.filter((each) => each.owner === owner).length).toBeLessThanOrEqual(2)
    }
    for (const each of steps) {
      if ('add' in each) queue.add(each.add)
      else await queue.end(each.end)
      await queue.turn()
      check()
    }
    while (queue.running.length) await queue.end()
    await Promise.all(queue.settled)
    expect(queue.started.length + queue.refused.length).toBe(queue.settled.length)
  })
  await fc.assert(property, { numRuns: 50 })
})
