import { expect, test } from 'vitest'
import { selfTimesOf } from './profile.ts'

const frame = (functionName: string, url = '', lineNumber = 0) => ({ functionName, url, lineNumber })

test('a function has the time of its samples; idle time is left out', () => {
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
    { name: 'validate apps/api/dist/main.mjs:42', part: 0.9 },
    { name: '(anonymous) node_modules/koa/lib/application.js:10', part: 0.1 },
  ])
})
