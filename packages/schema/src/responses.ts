import * as v from 'valibot'
import { type Shape, shapes } from './constants.ts'
import type { Account } from './records/account.ts'
import type { Item } from './records/item.ts'
import type { Purchase } from './records/purchase.ts'
import { AccountSchema, ItemSchemas, PurchaseSchemas } from './records/schemas.ts'
import { fillBody, type OperationName, operationNames, type RecordName, routes } from './routes.ts'

interface Records<S extends Shape> {
  account: Account
  item: Item<S>
  purchase: Purchase<S>
}

/** A body template with its records put in. */
type Filled<Template, S extends Shape> = Template extends RecordName
  ? Records<S>[Template]
  : Template extends readonly [infer Each]
    ? Filled<Each, S>[]
    : { -readonly [Field in keyof Template]: Filled<Template[Field], S> }

/** The success body of each operation in the shape `S`. */
export type ResponseBodies<S extends Shape = Shape> = {
  [Name in OperationName]: { status: 'success' } & Filled<(typeof routes)[Name]['body'], S>
}

const recordSchemas = {
  account: { base: AccountSchema, extended: AccountSchema },
  item: ItemSchemas,
  purchase: PurchaseSchemas,
}

const successSchema = (name: OperationName, shape: Shape): v.GenericSchema => {
  const fields = fillBody<v.GenericSchema>(
    routes[name].body,
    (record, isList) => (isList ? v.array(recordSchemas[record][shape]) : recordSchemas[record][shape]),
    v.object,
  )
  return v.object({ status: v.literal('success'), ...fields })
}

type SuccessSchemas = {
  readonly [Name in OperationName]: { readonly [S in Shape]: v.GenericSchema<ResponseBodies<S>[Name]> }
}

/** What each operation responds when it succeeds, by shape. Added fields are taken and left out of the result. */
export const successSchemas = Object.fromEntries(
  operationNames.map((name) => [
    name,
    Object.fromEntries(shapes.map((shape) => [shape, successSchema(name, shape)])),
  ]),
  // TypeScript does not follow the loops; the tests compare what the schemas take with examples of each body.
) as unknown as SuccessSchemas

/** The body of every failure: two fields, no more. The reason travels in the header `X-Error-Code`. */
export interface FailureBody {
  status: 'error'
  /** For a person to read; its language follows `Accept-Language`. */
  msg: string
}

/** The body of a failure. Added fields are taken and left out of the result. */
export const FailureBodySchema = v.object({ status: v.literal('error'), msg: v.string() })
