import { operations } from '@saleproof/schema'
import { codes, secretKey } from '../support/records.ts'

const headers = { 'content-type': 'application/json', 'x-api-key': secretKey }

/** A request of each operation as the fast path takes it, which gets a 200. */
export const plainRequests = {
  getAccount: { headers, path: operations.getAccount.path },
  listItems: { headers, path: operations.listItems.path },
  getItem: { headers, path: `${operations.getItem.path}?item_id=101` },
  validatePurchase: {
    headers,
    method: 'POST',
    path: operations.validatePurchase.path,
    body: JSON.stringify({ purchase_code: codes.active }),
  },
}
