import type { Shape } from '../constants.ts'
import { type OperationName, routes, successBody } from '../operations.ts'
import { exampleAccount } from '../records/account.ts'
import { exampleItems } from '../records/item.ts'
import { presentAccount, presentItem, presentPurchase } from '../records/present.ts'
import { examplePurchase } from '../records/purchase.ts'

/** The example records, as the API shows them. */
export const exampleRecords = {
  account: () => [presentAccount(exampleAccount)],
  item: (shape: Shape) => exampleItems.map((item) => presentItem(item, shape)),
  purchase: (shape: Shape) => [presentPurchase(examplePurchase, exampleItems[0], shape)],
}

/** An example of the response body of an operation. */
export function exampleBody(name: OperationName, shape: Shape): object {
  const { record, many } = { many: false, ...routes[name].response }
  const records = exampleRecords[record](shape)
  return successBody(name, many ? records : records[0])
}
