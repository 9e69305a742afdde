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

/** What a body template holds beside its names: its one record, or list of records. */
type Held<Template, S extends Shape> = Template extends RecordName
  ? Records<S>[Template]
  : Template extends readonly [infer Each]
    ? Held<Each, S>[]
    : Held<Template[keyof Template], S>

/** What each operation finds in its success body, in the shape `S`. */
export type OperationResults<S extends Shape = Shape> = {
  [Name in OperationName]: Held<(typeof routes)[Name]['body'], S>
}

const heldSchema = (record: RecordName, isList: boolean, shape: Shape): v.GenericSchema =>
  isList ? v.array(recordSchemas[record][shape]) : recordSchemas[record][shape]

function operationSchema(name: OperationName, shape: Shape): v.GenericSchema {
  const held: v.GenericSchema[] = []
  fillBody(
    routes[name].body,
    (record, isList) => held.push(heldSchema(record, isList, shape)),
    () => 0,
  )
  const [schema, ...others] = held
  if (!schema || others.length > 0) throw new Error(`${name} must hold one record, or one list of them`)
  return schema
}

const createOperationSchemas = <S extends Shape>(shape: S) =>
  Object.fromEntries(operationNames.map((name) => [name, operationSchema(name, shape)])) as unknown as {
    // As with `successSchemas`, TypeScript does not follow the loop.
    readonly [Name in OperationName]: v.GenericSchema<OperationResults<S>[Name]>
  }

/**
 * What each operation finds in its success body, by shape: Standard Schemas, for the option `validate` of the client. Added fields are
 * taken.
 *
 * @example
 * createClient({ baseUrl, apiKey, shape: 'base', validate: operationSchemas.base })
 */
export const operationSchemas = {
  base: createOperationSchemas('base'),
  extended: createOperationSchemas('extended'),
} as const

const successSchema = (name: OperationName, shape: Shape): v.GenericSchema => {
  const fields = fillBody<v.GenericSchema>(
    routes[name].body,
    (record, isList) => heldSchema(record, isList, shape),
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
