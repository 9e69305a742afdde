import * as v from 'valibot'
import { type Shape, shapes } from './constants.ts'
import { type OperationName, operationNames, routes } from './operations.ts'
import type { Account } from './records/account.ts'
import type { Item } from './records/item.ts'
import type { Purchase } from './records/purchase.ts'
import { AccountSchema, ItemSchemas, PurchaseSchemas } from './records/schemas.ts'

interface Records<S extends Shape> {
  account: Account
  item: Item<S>
  purchase: Purchase<S>
}

type At<Path extends string, Value> = Path extends `${infer Name}.${infer Rest}`
  ? { [_ in Name]: At<Rest, Value> }
  : { [_ in Path]: Value }

type Held<Response, Value> = Response extends { many: true } ? Value[] : Value

/** The success body of each operation in the shape `S`. */
export type ResponseBodies<S extends Shape = Shape> = {
  [Name in OperationName]: { status: 'success' } & At<
    (typeof routes)[Name]['response']['path'],
    Held<(typeof routes)[Name]['response'], Records<S>[(typeof routes)[Name]['response']['record']]>
  >
}

const recordSchemas = {
  account: { base: AccountSchema, extended: AccountSchema },
  item: ItemSchemas,
  purchase: PurchaseSchemas,
}

function successSchema(name: OperationName, shape: Shape): v.GenericSchema {
  const { record, path, many } = { many: false, ...routes[name].response }
  const schema: v.GenericSchema = recordSchemas[record][shape]
  const [field = '', ...inner] = path.split('.')
  const held = inner.reduceRight((held, name) => v.object({ [name]: held }), many ? v.array(schema) : schema)
  return v.object({ status: v.literal('success'), [field]: held })
}

type SuccessSchemas = {
  readonly [Name in OperationName]: { readonly [S in Shape]: v.GenericSchema<ResponseBodies<S>[Name]> }
}

/** What each operation responds when it succeeds, by shape. Added fields are taken and left out of the result. */
// TypeScript does not follow the loops; the tests compare what the schemas take with examples of each body.
export const successSchemas = Object.fromEntries(
  operationNames.map((name) => [
    name,
    Object.fromEntries(shapes.map((shape) => [shape, successSchema(name, shape)])),
  ]),
) as unknown as SuccessSchemas

/** The body of every failure: two fields, no more. The reason travels in the header `X-Error-Code`. */
export interface FailureBody {
  status: 'error'
  /** For a person to read; its language follows `Accept-Language`. */
  msg: string
}

/** The body of a failure. Added fields are taken and left out of the result. */
export const FailureBodySchema = v.object({ status: v.literal('error'), msg: v.string() })
