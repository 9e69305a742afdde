import pino from 'pino'
import { expect, test } from 'vitest'
import { costsOf } from '../../test/support/cost.ts'
import { DatabaseError } from '../db/errors.ts'
import { ConsoleError, consoleErrorHandler, invalid } from './console-error.ts'

const fieldsOf = (path: string, code: 'type' | 'unknown' = 'type') =>
  Object.keys(new ConsoleError('invalid', { fields: { [path]: code } }).details.fields ?? {})

test.each([
  ['profile.media.avatar', 'profile.media.avatar'],
  ['items.0', 'items.0'],
  ['profile.social_links.My Site', 'profile.social_links.My Site'],
  ['profile.social_links.sp_0123456789abcdef', 'profile.social_links'],
  ['sp_0123456789abcdef.name', ''],
  ['', ''],
])('%s is reported as %s', (path, reported) => {
  expect(fieldsOf(path)).toEqual([reported])
})

test('an unknown name is not repeated', () => {
  expect(fieldsOf('profile.name', 'unknown')).toEqual(['profile'])
  expect(fieldsOf('name', 'unknown')).toEqual([''])
})

test.each(['.', 'a.', 'aaaa', '1.', ' .', '. '])(
  'a name of many %j costs no more than a plain one',
  (part) => {
    const name = part.repeat(65_000 / part.length)
    const names = ['x'.repeat(65_000), name]
    const [plain, odd] = costsOf(names.map((each) => () => invalid(each, 'type')))
    expect(odd).toBeLessThan(10 * plain! + 0.1)
  },
)

test.each([
  ['full', 'disk_full'],
  ['busy', 'unavailable'],
] as const)('a database that is %s is reported as %s', async (kind, code) => {
  const errors: unknown[] = []
  const handle = consoleErrorHandler({
    logger: pino({ enabled: false }),
    onError: (error) => errors.push(error),
  })
  const ctx = { state: {}, set() {} } as unknown as Parameters<typeof handle>[0]
  const error = new DatabaseError(kind, 'SQLITE')
  await handle(ctx, () => Promise.reject(error))
  expect([ctx.status, JSON.parse(String(ctx.body)).error.code, errors]).toEqual([503, code, [error]])
})
