import type { Shape } from '@saleproof/schema'
import type { View } from '@saleproof/schema/records'
import type { ValidatedPurchase } from '../../http/request-event.ts'
import { bodyTag } from '../../http/response.ts'
import type { ItemOfRow, StoredRow } from '../../records/json.ts'
import { createCache } from './cache.ts'
import type { CachedKey } from './keys.ts'
import { accountJson, itemJson, type PurchaseRow, purchaseJson } from './rows.ts'
import type { Statements } from './statements.ts'
import { createTextCache } from './text-cache.ts'

/** A success body, ready to be sent. */
export interface SuccessBody {
  body: string
  /** In bytes. */
  length: number
  /** The part of the body's entity tag that is the same in every language and encoding. */
  tag: string
  /** The purchase that it validates. */
  validated: ValidatedPurchase | undefined
}

/** What is known of an item beside its JSON. */
interface ItemFacts {
  support: number
  /** Only inside its purchases is it still shown. */
  withdrawn: boolean
  /** The entity tag of the response with the item alone, once it was requested. */
  tag: string | undefined
}

const itemHead = '{"status":"success","item":'

/** The response that has this body. */
export const createBody = (body: string): SuccessBody => ({
  body,
  length: Buffer.byteLength(body),
  tag: bodyTag(body),
  validated: undefined,
})

export const accountBody = (row: StoredRow | undefined) =>
  row && createBody(`{"status":"success","data":${accountJson(row)}}`)

/** Enough for 45,000 items of one and a half kilobytes. */
const itemBytes = 64 * 1024 * 1024
const purchaseBytes = 8 * 1024 * 1024

/** Whether a code was requested recently: responses to codes that come once are not worth keeping. */
function createRecentCodes() {
  const slots = new Int32Array(1 << 16)
  return (text: string) => {
    let code = 0
    for (let index = 0; index < text.length; index++)
      code = (Math.imul(code, 31) + text.charCodeAt(index)) | 0
    const slot = (code ^ (code >>> 16)) & (slots.length - 1)
    const seen = slots[slot] === code
    slots[slot] = code
    return seen
  }
}

/** How the item of a purchase is shown, by the shape of the purchase. */
export const itemViews = { base: 'summary', extended: 'extended' } as const

export function purchaseBody(row: PurchaseRow, item: ItemOfRow, shape: Shape): SuccessBody {
  const body = `{"status":"success","data":{"purchase":${purchaseJson[shape](row, item)}}}`
  const { code, itemId, licenseType } = row
  const supportedUntil = item.support ? (row.supportedUntil ?? undefined) : undefined
  const validated = { code, itemId, licenseType, supportedUntil }
  return { body, length: Buffer.byteLength(body), tag: '', validated }
}

/** The responses of three operations, kept while the records in them are unchanged. Lists have a file of their own. */
export function createResponses({ statements }: { statements: Statements }) {
  const items = createTextCache<ItemFacts>(itemBytes)
  const purchases = createTextCache<SuccessBody['validated']>(purchaseBytes)
  const seenBefore = createRecentCodes()
  /** The tag of the purchases among which a code was not found. */
  const unknownCodes = createCache<string>(50_000)

  function itemBody({ workspaceId, catalogueTag }: CachedKey, id: number, view: View) {
    const key = view + id
    const kept = items.get(key, catalogueTag)
    if (kept) return kept
    const row = statements.item.get(workspaceId, id)
    if (!row) return undefined
    const facts = { support: row.support, withdrawn: row.withdrawnAt !== null, tag: undefined }
    return items.set(key, catalogueTag, itemJson[view](row), facts)
  }

  function readPurchase(key: CachedKey, code: string, shape: Shape) {
    const { workspaceId, keyId, bound } = key
    const row = bound
      ? statements.boundPurchase.get(workspaceId, code, keyId)
      : statements.purchase.get(workspaceId, code)
    if (!row) return 'purchase_not_found'
    if (row.state !== 'active') return 'purchase_not_active'
    const item = itemBody(key, row.itemId, itemViews[shape])
    return item && purchaseBody(row, { json: item.text, support: item.value.support }, shape)
  }

  return {
    account(key: CachedKey): SuccessBody | undefined {
      key.account ??= accountBody(statements.account.get(key.accountId))
      return key.account
    },

    item(key: CachedKey, id: number, shape: Shape): SuccessBody | 'item_not_found' {
      const item = itemBody(key, id, shape)
      if (!item || item.value.withdrawn) return 'item_not_found'
      const body = `${itemHead}${item.text}}`
      item.value.tag ??= bodyTag(body)
      return { body, length: itemHead.length + item.length + 1, tag: item.value.tag, validated: undefined }
    },

    purchase(key: CachedKey, code: string, shape: Shape) {
      // What a key is bound to changes without the sales.
      if (key.bound) return readPurchase(key, code, shape)
      const { purchasesTag } = key
      const name = shape + code
      const kept = purchases.get(name, purchasesTag)
      if (kept) return { body: kept.text, length: kept.length, tag: '', validated: kept.value }
      if (unknownCodes.get(code) === purchasesTag) return 'purchase_not_found'
      const response = readPurchase(key, code, shape)
      if (response === 'purchase_not_found') unknownCodes.set(code, purchasesTag)
      else if (typeof response === 'object' && seenBefore(name))
        purchases.set(name, purchasesTag, response.body, response.validated)
      return response
    },
  }
}
