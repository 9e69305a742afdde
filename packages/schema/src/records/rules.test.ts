import fc from 'fast-check'
import * as v from 'valibot'
import { expect, test } from 'vitest'
import { rules } from './rules.ts'
import { responseSchemas } from './schemas.ts'

const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.webUrl(),
  fc.constantFrom(
    '',
    'a\0',
    '\ud800',
    'http://',
    'HTTPS://x',
    'http://[',
    'ftp://x.test',
    'USD',
    'usd',
    '1.2.3',
    '1.2',
  ),
  fc.date({ noInvalidDate: true, min: new Date(0) }).map((date) => `${date.toISOString().slice(0, 19)}Z`),
)
const value = fc.oneof(
  text,
  fc.array(text, { maxLength: 3 }),
  fc.dictionary(fc.string(), text, { maxKeys: 3, noNullPrototype: true }),
  fc.double(),
  fc.integer(),
  fc.constantFrom(0, -0, 1, Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER + 1),
  fc.boolean(),
  fc.constantFrom(null, undefined),
)

const types = Object.keys(rules) as (keyof typeof rules)[]

test.each(types)('the rule of %s accepts the same values as its schema', (type) => {
  const takesTheSame = (value: unknown) => rules[type](value) === v.is(responseSchemas[type], value)
  fc.assert(fc.property(value, takesTheSame), { numRuns: 500 })
})

test('there is a rule for each schema', () => {
  expect(types).toEqual(Object.keys(responseSchemas))
})
