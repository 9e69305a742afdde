import {
  type Account,
  AccountSchema,
  type ItemBase,
  type ItemExtended,
  ItemSchemas,
  type PurchaseBase,
  type PurchaseExtended,
  PurchaseSchemas,
  type Shape,
} from '@saleproof/schema'
import * as v from 'valibot'
import type { OperationName } from './names.ts'

/** What is wrong with a value: where, and in words that do not repeat it. */
export interface SchemaIssue {
  readonly message: string
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined
}

/** A schema as <https://standardschema.dev> describes it: forms, tRPC, Hono and others take it as it is. */
export interface Schema<T> {
  readonly '~standard': {
    readonly version: 1
    readonly vendor: string
    readonly validate: (
      value: unknown,
    ) =>
      | { readonly value: T; readonly issues?: undefined }
      | { readonly issues: readonly SchemaIssue[] }
      | Promise<
          { readonly value: T; readonly issues?: undefined } | { readonly issues: readonly SchemaIssue[] }
        >
    readonly types?: { readonly input: T; readonly output: T } | undefined
  }
}

/**
 * The full schemas of everything that the API answers with. Members that a later version adds are taken.
 *
 * @example
 * const result = await schemas.purchase.base['~standard'].validate(value)
 */
export const schemas: {
  readonly account: Schema<Account>
  readonly item: { readonly base: Schema<ItemBase>; readonly extended: Schema<ItemExtended> }
  readonly purchase: { readonly base: Schema<PurchaseBase>; readonly extended: Schema<PurchaseExtended> }
} = { account: AccountSchema, item: ItemSchemas, purchase: PurchaseSchemas }

const items = { base: v.array(ItemSchemas.base), extended: v.array(ItemSchemas.extended) }

const byOperation = {
  getAccount: { base: AccountSchema, extended: AccountSchema },
  listItems: items,
  getItem: ItemSchemas,
  validatePurchase: PurchaseSchemas,
} as const satisfies Record<OperationName, Record<Shape, v.GenericSchema>>

/**
 * Checks every member of every success body: links, timestamps, currencies, amounts. Give it to a client as `validate`. Without
 * it, a client checks what decides and what is computed with.
 *
 * @example
 * const client = createClient({ baseUrl, apiKey, validate: strictValidator })
 */
export function strictValidator(operation: OperationName, value: unknown, shape?: Shape): boolean {
  const { base, extended } = byOperation[operation]
  return (shape !== 'extended' && v.is(base, value)) || (shape !== 'base' && v.is(extended, value))
}
