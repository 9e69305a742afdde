import type * as schema from '@saleproof/schema'
import type * as v from 'valibot'
import { expect, expectTypeOf, it } from 'vitest'
import { createClient } from '../src/client.ts'
import type { GateCheckOptions, GateOptions, RedisStoreOptions } from '../src/gate/index.ts'
import type { GuardOptions } from '../src/guard.ts'
import type * as sdk from '../src/index.ts'
import type { FileStoreOptions, NodeGuardOptions } from '../src/node/index.ts'
import type { MockApiOptions } from '../src/testing/index.ts'

it('has the calls of its type', () => {
  const calls = {
    getAccount: true,
    listItems: true,
    getItem: true,
    validatePurchase: true,
  } satisfies Record<schema.OperationName, true>
  const client = createClient({ baseUrl: 'https://market.example.com', apiKey: 'k' })
  const members = { checkPurchase: true, ...calls } satisfies Record<keyof sdk.Client, true>
  expect(Object.keys(client)).toEqual(Object.keys(members))
})

it('publishes types that are what the schemas give', () => {
  expectTypeOf<sdk.Account>().toEqualTypeOf<v.InferOutput<typeof schema.AccountSchema>>()
  expectTypeOf<sdk.Item<'base'>>().toEqualTypeOf<v.InferOutput<typeof schema.ItemSchemas.base>>()
  expectTypeOf<sdk.Item<'extended'>>().toEqualTypeOf<v.InferOutput<typeof schema.ItemSchemas.extended>>()
  expectTypeOf<sdk.Purchase<'base'>>().toEqualTypeOf<v.InferOutput<typeof schema.PurchaseSchemas.base>>()
  expectTypeOf<sdk.Purchase<'extended'>>().toEqualTypeOf<
    v.InferOutput<typeof schema.PurchaseSchemas.extended>
  >()
})

it('narrows a check by its outcome and a purchase by its shape', () => {
  const read = (check: sdk.PurchaseCheck): string | number => {
    // @ts-expect-error: nothing but a valid check has a purchase.
    check.purchase
    if (check.outcome === 'invalid') return check.reason
    if (check.outcome === 'unknown') return check.error.kind
    return 'price' in check.purchase ? check.purchase.price : check.purchase.item.version
  }
  expectTypeOf(read).returns.toEqualTypeOf<string | number>()
})

/** Each option that may be left out, as `undefined`. */
type AllUndefined<Options> = {
  [Name in keyof Options as Partial<Pick<Options, Name>> extends Pick<Options, Name>
    ? Name
    : never]: undefined
}

it('takes an optional option that is undefined, also under exactOptionalPropertyTypes', () => {
  type Every = sdk.ClientOptions &
    sdk.CheckOptions &
    GateOptions &
    GateCheckOptions &
    GuardOptions &
    NodeGuardOptions &
    FileStoreOptions &
    RedisStoreOptions &
    MockApiOptions
  expectTypeOf<keyof AllUndefined<sdk.CallOptions>>().toEqualTypeOf<keyof sdk.CallOptions>()
  expectTypeOf<AllUndefined<Every>>().toExtend<Partial<Every>>()
})
