import { operationNames, shapes, successSchemas } from '@saleproof/schema'
import { fillBody, routes } from '@saleproof/schema/constants'
import fc from 'fast-check'
import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { createClient } from '../src/index.ts'
import { strictValidator } from '../src/schemas.ts'
import {
  account,
  apiKey,
  bodies,
  code,
  itemBase,
  itemExtended,
  purchaseBase,
  purchaseExtended,
} from './records.ts'

const clientOf = (body: unknown) =>
  createClient({
    baseUrl: 'https://market.example.com',
    apiKey,
    validate: strictValidator,
    fetch: async () => Response.json(body),
  })

describe('strictValidator', () => {
  it('accepts responses of the API with fields of later versions', async () => {
    const purchase = { ...purchaseBase, seats: 5, item: { ...purchaseBase.item, sku: 'x' } }
    expect(await clientOf({ status: 'success', data: { purchase } }).validatePurchase(code)).toEqual(purchase)
    expect(await clientOf(bodies.purchaseExtended).checkPurchase(code)).toMatchObject({ outcome: 'valid' })
    expect(await clientOf(bodies.items).listItems()).toEqual([itemBase])
    expect(await clientOf(bodies.account).getAccount()).toEqual(account)
  })

  it('rejects values that the light check accepts', async () => {
    const purchase = { ...purchaseBase, currency: 'dollars' }
    expect(await clientOf({ status: 'success', data: { purchase } }).checkPurchase(code)).toMatchObject({
      outcome: 'unknown',
      error: { kind: 'invalid_response', code: 'unexpected_body' },
    })
    await expect(
      clientOf({ status: 'success', item: { ...itemBase, demo_link: null } }).getItem(101),
    ).rejects.toMatchObject({
      kind: 'invalid_response',
    })
  })

  it('keeps the shapes apart', () => {
    expect(strictValidator('validatePurchase', purchaseBase, 'base')).toBe(true)
    expect(strictValidator('validatePurchase', purchaseBase, 'extended')).toBe(false)
    expect(strictValidator('validatePurchase', purchaseExtended, 'extended')).toBe(true)
    expect(strictValidator('getItem', itemExtended, 'base')).toBe(false)
    expect(strictValidator('listItems', [itemExtended])).toBe(true)
  })
})

// Valid for some type of field, valid for none, or at the edge between the two.
const texts = ['', 'text', 'a\0', '\ud800', '\ud83d\ude00', 'USD', 'usd', 'EURO', '1.4.2', '1.4', 'v1.4.2']
const links = ['https://example.com/x', 'HTTP://x', 'http://', 'http://[', 'ftp://x.test']
const times = ['2024-04-27T12:00:00Z', '2024-04-27T12:00:00.5Z', '2024-04-27']
const others = [0, -0, 1, -1, 0.5, 101, 2 ** 53 - 1, 2 ** 53, 1e300, true, false, null]
const lists = [[], [''], ['text'], [links[0]], [links[0], 'text'], [null], [[]]]
const maps = ['{}', '{"x":"http://x"}', '{"x":"text"}', '{"x":null}', '{"0":"http://x"}', '{"length":1}']
// Names that Valibot leaves out, and one that it does not.
const oddMaps = ['{"constructor":1,"prototype":"text"}', '{"__proto__":"text"}', '{"toString":"text"}']
const objects = [...maps, ...oddMaps].map((text) => JSON.parse(text))
const leaves: readonly unknown[] = [...texts, ...links, ...times, ...others, ...lists, ...objects]

interface ObjectSchema extends v.GenericSchema {
  readonly entries: Record<string, v.GenericSchema>
}

const isObjectSchema = (schema: unknown): schema is ObjectSchema => 'entries' in Object(schema)

/** Bodies that a schema of Valibot accepts, by its own structure; every optional field is there or not. */
function bodiesOf(schema: v.GenericSchema): fc.Arbitrary<unknown> {
  if (isObjectSchema(schema)) {
    const fields = Object.entries(schema.entries)
    const required = fields.filter(([, field]) => field.type !== 'exact_optional')
    return fc.record(Object.fromEntries(fields.map(([name, field]) => [name, bodiesOf(field)])), {
      requiredKeys: required.map(([name]) => name),
      noNullPrototype: true,
    })
  }
  if ('item' in schema && isObjectSchema(schema.item))
    return fc.array(bodiesOf(schema.item), { maxLength: 2 })
  const accepted = ['success', ...leaves].filter((value) => v.is(schema, value))
  expect(accepted).not.toEqual([])
  return fc.constantFrom(...accepted).map((value) => structuredClone(value))
}

/** Every object and list in a value, itself included. */
const containersIn = (value: unknown): object[] =>
  typeof value === 'object' && value !== null ? [value, ...Object.values(value).flatMap(containersIn)] : []

interface Mutation {
  readonly container: number
  readonly field: number
  readonly change: 'replace' | 'delete' | 'add' | 'copy'
  readonly value: unknown
}

const mutation: fc.Arbitrary<Mutation> = fc.record({
  container: fc.nat(),
  field: fc.nat(),
  change: fc.constantFrom('replace', 'replace', 'delete', 'add', 'copy'),
  value: fc.oneof(fc.constantFrom(...leaves), fc.jsonValue()),
})

function mutate(body: unknown, { container, field, change, value }: Mutation): void {
  const containers = containersIn(body)
  const target = containers[container % containers.length] ?? {}
  const names = Object.keys(target)
  const name = names[field % names.length] ?? 'added'
  // Not by assignment: a field may be named `__proto__`.
  const put = (field: string, content: unknown) =>
    Object.defineProperty(target, field, { ...property, value: structuredClone(content) })
  if (change === 'delete') Reflect.deleteProperty(target, name)
  else if (change === 'add') put(`${name}_2`, value)
  else put(name, change === 'copy' ? containers[field % containers.length] : value)
}

const property = { configurable: true, enumerable: true, writable: true }

/** What a body holds where the template names a record, or a list of records. */
function find(template: unknown, body: unknown): unknown {
  if (typeof template === 'string' || Array.isArray(template)) return body
  const [[field, inner] = ['', '']] = Object.entries(Object(template))
  return find(inner, Object(body)[field])
}

const cases = operationNames.flatMap((name) => shapes.map((shape) => [name, shape] as const))

describe.each(cases)('the full check of %s in the %s shape', (name, shape) => {
  const schema: v.GenericSchema = successSchemas[name][shape]
  const other: v.GenericSchema = successSchemas[name][shape === 'base' ? 'extended' : 'base']

  /** Compares what is inside the envelope: the client itself checks the envelope. */
  const compare = (body: unknown) => {
    const value = find(routes[name].body, body)
    const inEnvelope = fillBody<unknown>(
      routes[name].body,
      () => value,
      (fields) => fields,
    )
    const text = { status: 'success', ...inEnvelope }
    const accepted = v.is(schema, text)
    expect(strictValidator(name, value, shape)).toBe(accepted)
    expect(strictValidator(name, value)).toBe(accepted || v.is(other, text))
    return accepted
  }

  it('accepts every body that the schema accepts', () => {
    fc.assert(
      fc.property(bodiesOf(schema), (body) => {
        expect(compare(body)).toBe(true)
      }),
      { numRuns: 200 },
    )
  })

  it('accepts of mutated bodies exactly those that the schemas accept', () => {
    let rejected = 0
    const check = fc.property(
      bodiesOf(schema),
      fc.array(mutation, { minLength: 1, maxLength: 3 }),
      (original, mutations) => {
        const body = structuredClone(original)
        for (const each of mutations) mutate(body, each)
        // As JSON carries it: a list has no holes.
        if (!compare(JSON.parse(JSON.stringify(body)))) rejected += 1
      },
    )
    fc.assert(check, { numRuns: 1_000 })
    expect(rejected).toBeGreaterThan(100)
  })
})
