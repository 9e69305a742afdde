import { expect, test } from 'vitest'
import { allocationsOf, selfTimesOf } from './profile.ts'

const frame = (functionName: string, url = '', lineNumber = 0) => ({ functionName, url, lineNumber })

test('a function has the time of its samples, and waiting is no work', () => {
  const profile = {
    nodes: [
      { id: 1, callFrame: frame('(idle)') },
      { id: 2, callFrame: frame('validate', 'file:///home/any/apps/api/dist/main.mjs', 41) },
      { id: 3, callFrame: frame('', '/srv/node_modules/.pnpm/koa@3/node_modules/koa/lib/application.js', 9) },
    ],
    samples: [1, 2, 3, 2],
    timeDeltas: [500, 30, 10, 60],
  }
  expect(selfTimesOf(profile)).toEqual([
    { place: 'validate apps/api/dist/main.mjs:42', part: 0.9 },
    { place: '(anonymous) node_modules/koa/lib/application.js:10', part: 0.1 },
  ])
})

test('memory counts for the function that allocated it', () => {
  const leaf = { callFrame: frame('b'), selfSize: 30, children: [] }
  const head = {
    callFrame: frame('(root)'),
    selfSize: 0,
    children: [{ callFrame: frame('a'), selfSize: 10, children: [leaf] }, leaf],
  }
  expect(allocationsOf({ head }).map(({ place }) => place)).toEqual(['b', 'a'])
  expect(allocationsOf({ head })[0]!.part).toBeCloseTo(60 / 70)
})
