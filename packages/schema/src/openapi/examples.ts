import type { Shape } from '../constants.ts'
import { exampleAccount } from '../records/account.ts'
import { exampleItems } from '../records/item.ts'
import { presentAccount, presentItem, presentPurchase } from '../records/present.ts'
import { examplePurchase } from '../records/purchase.ts'
import { fillBody, type OperationName, routes } from '../routes.ts'

/** The example records, as the API shows them. */
export const exampleRecords = {
  account: () => [presentAccount(exampleAccount)],
  item: (shape: Shape) => exampleItems.map((item) => presentItem(item, shape)),
  purchase: (shape: Shape) => [presentPurchase(examplePurchase, exampleItems[0], shape)],
}

/** An example of the response body of an operation. */
export const exampleBody = (name: OperationName, shape: Shape): object => {
  const fields = fillBody<unknown>(
    routes[name].body,
    (record, isList) => (isList ? exampleRecords[record](shape) : exampleRecords[record](shape)[0]),
    (fields) => fields,
  )
  return { status: 'success', ...fields }
}
