import type { Shape } from '@saleproof/schema'
import type { View } from '@saleproof/schema/records'
import type { ActiveKey } from '../../domain/api-keys.ts'
import { bodyTag } from '../../http/response.ts'
import type { ValidatedPurchase } from '../../observability/observer.ts'
import type { ItemOfRow } from '../../records/json.ts'
import { createCache } from './cache.ts'
import { accountJson, itemJson, type PurchaseRow, purchaseJson } from './rows.ts'
import type { Statements } from './statements.ts'
import type { Workspace } from './workspaces.ts'

/** A success body, ready to be sent. */
export interface SuccessBody {
  body: string
  /** In bytes. */
  length: number
  /** Of the body: the part of the entity tag that is the same in every language and encoding. */
  tag: string
  /** The purchase that it validates. */
  validated: ValidatedPurchase | undefined
}

/** An item as it stands inside a response. */
interface ItemPiece {
  json: string
  bytes: number
  support: number
  /** Only inside its purchases is it still shown. */
  withdrawn: boolean
  /** Of the response that holds the item alone, once it was requested. */
  tag: string | undefined
}

const itemHead = '{"status":"success","item":'

const bodyOf = (body: string): SuccessBody => ({
  body,
  length: Buffer.byteLength(body),
  tag: bodyTag(body),
  validated: undefined,
})

/** One byte a character where all are of one byte, as V8 keeps them, else two; and what an entry costs by itself. */
const sizeOf = (text: string, bytes: number) => (text.length === bytes ? bytes : text.length * 2) + 300
const sizeOfBody = ({ body, length }: SuccessBody) => sizeOf(body, length)
const sizeOfPiece = ({ json, bytes }: ItemPiece) => sizeOf(json, bytes)

/** What is kept at most: enough for tens of thousands of items, little beside what the process needs anyway. */
const pieceBytes = 96 * 1024 * 1024
const responseBytes = 24 * 1024 * 1024

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

const views = ['base', 'extended', 'summary'] as const satisfies readonly View[]

/** How the item of a purchase is shown, by the shape of the purchase. */
export const itemViews = { base: 'summary', extended: 'extended' } as const

/** The response to a purchase code that validates. */
export function purchaseBody(row: PurchaseRow, item: ItemOfRow, shape: Shape): SuccessBody {
  const body = `{"status":"success","data":{"purchase":${purchaseJson[shape](row, item)}}}`
  const { code, itemId } = row
  return { body, length: Buffer.byteLength(body), tag: '', validated: { code, itemId } }
}

/** The responses of three operations, kept while the records in them are unchanged. Lists have a file of their own. */
export function createResponses({ statements }: { statements: Statements }) {
  const pieces = createCache<ItemPiece>({ bytes: pieceBytes, sizeOf: sizeOfPiece })
  const responses = createCache<SuccessBody>({ bytes: responseBytes, sizeOf: sizeOfBody })
  const seenBefore = createRecentCodes()

  function pieceOf(workspace: Workspace, id: number, view: View): ItemPiece | undefined {
    const name = `${workspace.catalogueTag}${view}:${id}`
    const kept = pieces.get(name)
    if (kept) return kept
    const row = statements.item.get(workspace.id, id)
    if (!row) return undefined
    const json = itemJson[view](row)
    const piece = {
      json,
      bytes: Buffer.byteLength(json),
      support: row.support,
      withdrawn: row.withdrawnAt !== null,
      tag: undefined,
    }
    pieces.set(name, piece)
    return piece
  }

  function purchaseRow({ workspaceId, keyId, bound }: ActiveKey, code: string) {
    return bound
      ? statements.boundPurchase.get(workspaceId, code, keyId)
      : statements.purchase.get(workspaceId, code)
  }

  return {
    account(workspace: Workspace): SuccessBody | undefined {
      const kept = workspace.account
      if (kept?.access === workspace.access) return kept.response
      const owner = statements.workspace.get(workspace.id)
      const row = owner && statements.account.get(owner.accountId)
      if (!row) return undefined
      const response = bodyOf(`{"status":"success","data":${accountJson(row)}}`)
      workspace.account = { access: workspace.access, response }
      return response
    },

    item(workspace: Workspace, id: number, shape: Shape): SuccessBody | 'item_not_found' {
      const piece = pieceOf(workspace, id, shape)
      if (!piece || piece.withdrawn) return 'item_not_found'
      const body = `${itemHead}${piece.json}}`
      piece.tag ??= bodyTag(body)
      return { body, length: itemHead.length + piece.bytes + 1, tag: piece.tag, validated: undefined }
    },

    purchase(workspace: Workspace, key: ActiveKey, code: string, shape: Shape) {
      // What a key is bound to is part of its access, not of the sales.
      const scope = key.bound ? `${key.keyId}.${workspace.access}` : ''
      const name = `${workspace.purchasesTag}${shape}:${scope}:${code}`
      const kept = responses.get(name)
      if (kept) return kept
      const row = purchaseRow(key, code)
      if (!row) return 'purchase_not_found' as const
      if (row.state !== 'active') return 'purchase_not_active' as const
      const item = pieceOf(workspace, row.itemId, itemViews[shape])
      if (!item) return undefined
      const response = purchaseBody(row, item, shape)
      if (seenBefore(name)) responses.set(name, response)
      return response
    },

    /** Drops what was kept of items that have changed. */
    forgetItems(workspace: Workspace, itemIds: readonly number[]) {
      for (const id of itemIds) {
        for (const view of views) pieces.delete(`${workspace.catalogueTag}${view}:${id}`)
      }
    },

    stats: () => ({ items: pieces.stats(), purchases: responses.stats() }),
  }
}

export type Responses = ReturnType<typeof createResponses>
