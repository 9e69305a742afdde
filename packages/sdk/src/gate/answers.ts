import type { Purchase } from '@saleproof/schema'
import { cleanPastedCode } from '@saleproof/schema/constants'
import type { InvalidCheck, ValidCheck } from '../types.ts'
import type { GateEntry } from './gate-store.ts'

/** A question: a code in the forms that matter, and for which item. */
export interface Query {
  /** As it was sent: the API looks it up first. */
  readonly code: string
  /** As the API looks it up when nothing is stored under the code as it was sent. */
  readonly clean: string
  /** What all spellings of one code have in common. */
  readonly form: string
  readonly itemId: unknown
}

export function toQuery(code: string, itemId: unknown): Query {
  const clean = cleanPastedCode(code)
  // Without its invisible characters a text may compose further.
  return { code, clean, form: clean === code ? clean : cleanPastedCode(clean), itemId }
}

/**
 * The stored code of a valid entry: what to ask in an outage. Of the spelling that was sent the sender might know that a filter on the
 * way to the API refuses it.
 */
export const toStored = ({ purchase }: GateEntry, query: Query): Query =>
  purchase ? toQuery(purchase.purchase_code, query.itemId) : query

export const isItem = (purchase: Purchase, { itemId }: Query): boolean =>
  itemId === undefined || String(purchase.item.id) === String(itemId)

/**
 * Whether an entry says what the API would say about this spelling. A yes holds for the spelling that was sent and for the stored code;
 * for other spellings of the stored code too, unless the API gave different answers to two of them or the item is another one: a
 * purchase of its own may be stored under the spelling. A no holds for the spelling that was sent; where nothing was found, also for
 * the canonical form.
 */
export function answers(entry: GateEntry, query: Query): boolean {
  const { code, clean, form } = query
  const { spelling = '', purchase, reason, exact } = entry
  if (code === spelling) return true
  if (!purchase) return reason === 'purchase_not_found' && code === form && cleanPastedCode(spelling) === form
  const stored = purchase.purchase_code
  return code === stored || (clean === stored && !exact && isItem(purchase, query))
}

/** Whether the API answered differently about another spelling: from now on none speaks for another. */
function contradicts(previous: GateEntry, code: string, stored: string | undefined): boolean {
  if (!previous.purchase) return previous.spelling !== code
  return stored !== undefined && previous.purchase.purchase_code !== stored
}

/** The entry for a response. `previous` is the one that it replaces, `isRecent` whether that was asked a short time ago. */
export function toEntry(
  { code, clean }: Query,
  at: number,
  response: ValidCheck | InvalidCheck,
  previous: GateEntry | undefined,
  isRecent: boolean,
): GateEntry {
  const { purchase, reason }: { purchase?: Purchase; reason?: InvalidCheck['reason'] } = response
  const stored = purchase?.purchase_code
  const { exact, changes = 0, spelling } = previous ?? {}
  // Two purchases whose codes differ in spelling alone: these are no guesses.
  const isOther = stored !== undefined && previous?.purchase?.purchase_code !== stored
  return {
    outcome: response.outcome,
    at,
    spelling: code,
    purchase,
    reason,
    exact: exact || (previous && contradicts(previous, code, stored)),
    alias: purchase && stored !== code && stored !== clean,
    changes: isRecent ? changes + Number(spelling !== code && !isOther) : 0,
  }
}
