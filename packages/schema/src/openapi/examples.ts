import type { Shape } from '../constants.ts'
import { exampleAccount } from '../records/account.ts'
import { exampleItems } from '../records/item.ts'
import { presentAccount, presentItem, presentPurchase } from '../records/present.ts'
import { examplePurchase } from '../records/purchase.ts'
import type { ResponseBodies } from '../responses.ts'

const [item] = exampleItems

const exampleBodies = (shape: Shape): ResponseBodies => ({
  getAccount: { status: 'success', data: presentAccount(exampleAccount) },
  listItems: { status: 'success', items: exampleItems.map((each) => presentItem(each, shape)) },
  getItem: { status: 'success', item: presentItem(item, shape) },
  validatePurchase: { status: 'success', data: { purchase: presentPurchase(examplePurchase, item, shape) } },
})

/** An example of the response body of each operation in each shape. */
export const successExamples: Readonly<Record<Shape, ResponseBodies>> = {
  base: exampleBodies('base'),
  extended: exampleBodies('extended'),
}
