import fc from 'fast-check'
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import {
  AccountSchema,
  FailureBodySchema,
  ItemSchemas,
  issueMessage,
  locales,
  messages,
  operationNames,
  PurchaseSchemas,
  parameterSchemas,
  shapes,
  successSchemas,
} from '../index.ts'
import { exampleBody } from '../openapi/examples.ts'

type AnySchema = v.GenericSchema<unknown, unknown>

const bodies = Object.entries(successSchemas).flatMap(([name, shapes]) =>
  Object.entries(shapes).map(([shape, schema]) => [`${name} ${shape}`, schema as AnySchema] as const),
)

const schemas: readonly (readonly [string, AnySchema])[] = [
  ...bodies,
  ...Object.entries(parameterSchemas),
  ['account', AccountSchema],
  ['failure', FailureBodySchema],
  ['item base', ItemSchemas.base],
  ['item extended', ItemSchemas.extended],
  ['purchase base', PurchaseSchemas.base],
  ['purchase extended', PurchaseSchemas.extended],
  ['strict', v.strictObject({ key: v.string(), code: v.picklist(['x']) })],
  ['union', v.union([v.literal('x'), v.object({ key: v.pipe(v.string(), v.email()) }), v.array(v.number())])],
  ['variant', v.variant('type', [v.object({ type: v.literal('a') }), v.object({ type: v.literal('b') })])],
]

const texts = locales.flatMap((locale) => Object.values<string>(messages[locale].issues))

/** An issue and all those inside it. */
const all = (issues: readonly v.BaseIssue<unknown>[]): v.BaseIssue<unknown>[] =>
  issues.flatMap((issue) => [issue, ...all(issue.issues ?? [])])

const examples = operationNames.flatMap((name) => shapes.map((shape) => exampleBody(name, shape)))

const canary = fc.stringMatching(/^canary[A-Za-z0-9]{8,20}$/)

/** Canaries as fields' names, fields and nested values; also wherever a right answer has something. */
const canaries = canary.chain((text) =>
  fc.oneof(
    fc.constant<unknown>(text),
    fc.object({
      key: fc.constantFrom(text, 'key', 'code', 'type', 'data', 'item', 'items', 'status'),
      values: [fc.constant(text), fc.integer()],
    }),
    fc.constantFrom(...examples).chain((example) => {
      const leaves = JSON.stringify(example).split(/(?<=:)(?="|\d|true|false|\[|\{)/)
      return fc.nat(leaves.length - 1).map((at) => withCanary(example, at, text))
    }),
  ),
)

/** A copy with the `at`-th value replaced. */
function withCanary(example: unknown, at: number, text: string): unknown {
  let seen = -1
  return JSON.parse(JSON.stringify(example), (_key, value) => {
    seen++
    return seen === at ? { [text]: text } : value
  })
}

describe('the message of an issue', () => {
  test.each(schemas)('never repeats a value: %s', (_name, schema) => {
    fc.assert(
      fc.property(canaries, (value) => {
        const { issues } = v.safeParse(schema, value)
        for (const issue of all(issues ?? [])) {
          for (const locale of locales) {
            const message = issueMessage(issue, locale)
            expect(message).not.toContain('canary')
            expect(texts).toContain(message)
          }
        }
      }),
    )
  })

  const first = (schema: AnySchema, value: unknown) => {
    const issue = v.safeParse(schema, value).issues?.[0]
    return issue && issueMessage(issue, 'en')
  }

  test.each([
    ['not_empty', parameterSchemas.purchase_code, ' '],
    ['credential_length', parameterSchemas.purchase_code, 'x'.repeat(256)],
    ['well_formed', parameterSchemas.purchase_code, 'a\0'],
    ['text', parameterSchemas.purchase_code, 1],
    ['item_id', parameterSchemas.item_id, '007'],
    ['item_id', parameterSchemas.item_id, '9007199254740993'],
    ['shape', parameterSchemas.shape, 'Base'],
    ['required', v.object({ a: v.string() }), {}],
    ['required', v.strictObject({ a: v.string() }), {}],
    ['unknown', v.strictObject({}), { a: 1 }],
    ['type', v.strictObject({}), 'text'],
    ['type', v.object({}), 'text'],
    ['list', v.array(v.string()), 'text'],
    ['boolean', v.boolean(), 'text'],
    ['text', v.string(), 1],
    ['type', v.number(), 'text'],
  ] as const)('%s', (key, schema, value) => {
    expect(first(schema as AnySchema, value)).toBe(messages.en.issues[key])
  })
})
