import type { OperationName } from '@saleproof/schema'
import { account, item, purchase, workspace } from '../exactness/shop.ts'
import type { Random } from '../support/random.ts'

/** What the service has to answer, kept beside it: as much of each answer as the changes below can change. */

export interface Query {
  operation: OperationName
  key: string
  code?: string
  item?: number
}

type PurchaseState = 'active' | 'refunded' | 'revoked'

/** Something to write, which is confirmed with the key that was made, if one was. */
export type Change = { confirm: (key: string) => void; about: () => readonly Query[] } & (
  | { records: readonly object[] }
  | { slug: string; code: string; state: PurchaseState }
  | { slug: string; made: string }
  | { slug: string; revoked: string }
)

interface Body {
  data?: { balance: number; purchase: { price: number; item: { name: string } } }
  item?: { name: string }
  items?: { id: number; name: string }[]
}

const slug = 'studio'
const itemIds = [1, 2, 3, 4, 5, 6]
const codes = Array.from({ length: 40 }, (_, number) => `CODE-OF-A-PURCHASE-${number}`)
const itemOf = (code: string) => itemIds[codes.indexOf(code) % itemIds.length]!
const states: readonly PurchaseState[] = ['active', 'active', 'refunded', 'revoked']
const longAgo = '2001-01-01T00:00:00Z'
/** Fewer keys than this are made more. */
const keyCount = 8

export function createModel({ below, pick, some }: Random) {
  let count = 0
  let balance = 0
  const names = new Map(itemIds.map((id) => [id, `Item ${id}`]))
  const purchases = new Map(codes.map((code) => [code, { state: 'active' as PurchaseState, price: 1 }]))
  const keys = new Map<string, { name: string; state: 'live' | 'revoked' | 'expired' }>()

  const keyRecord = (key: string, expired = false) => ({
    type: 'api_key',
    workspace: slug,
    name: key,
    key,
    expires_at: expired ? longAgo : null,
  })
  const itemRecord = (id: number, name: string) => ({ ...item(id, slug), name })
  const saleRecord = (code: string, { state, price }: { state: PurchaseState; price: number }) => ({
    ...purchase(code),
    item: itemOf(code),
    state,
    price,
  })
  const accountRecord = (value: number) => ({ ...account, balance: value })

  const everlasting = 'sp_test_key_that_always_works'
  const validation = (code: string, key = everlasting): Query => ({
    operation: 'validatePurchase',
    key,
    code,
  })
  const ofKey = (key: string): Query[] => [{ operation: 'getAccount', key }, validation(pick(codes), key)]
  const lists: Query[] = [{ operation: 'listItems', key: everlasting }]

  function changeItems(): Change {
    const next = some(itemIds).map((id) => [id, `Item ${id}, ${count}`] as const)
    return {
      records: next.map(([id, name]) => itemRecord(id, name)),
      about: () => [
        ...next.map(([id]) => ({ operation: 'getItem', key: everlasting, item: id }) as const),
        ...lists,
      ],
      confirm: () => next.forEach(([id, name]) => void names.set(id, name)),
    }
  }

  function changePurchases(): Change {
    const next = some(codes).map((code) => [code, { state: pick(states), price: below(1000) }] as const)
    return {
      records: next.map(([code, sale]) => saleRecord(code, sale)),
      about: () => next.map(([code]) => validation(code)),
      confirm: () => next.forEach(([code, sale]) => void purchases.set(code, sale)),
    }
  }

  function changeAccount(): Change {
    const next = below(1000)
    return {
      records: [accountRecord(next)],
      about: () => [{ operation: 'getAccount', key: everlasting }],
      confirm: () => {
        balance = next
      },
    }
  }

  function loadKey(): Change {
    const key = below(2)
      ? `sp_test_key_number_${count}_of_all`
      : pick([everlasting, ...keys.keys()].slice(-1))
    const { name = key, state = 'live' } = keys.get(key) ?? {}
    const expired = key !== everlasting && state === 'live' && keys.has(key)
    return {
      records: [{ ...keyRecord(key, expired), name }],
      about: () => ofKey(key),
      confirm() {
        // An import never makes a revoked key usable again.
        if (key !== everlasting && state !== 'revoked')
          keys.set(key, { name, state: expired ? 'expired' : 'live' })
      },
    }
  }

  function makeKey(): Change {
    const name = `made ${count}`
    let made = ''
    return {
      slug,
      made: name,
      about: () => ofKey(made),
      confirm(key) {
        made = key
        keys.set(key, { name, state: 'live' })
      },
    }
  }

  function setState(): Change {
    const [code, state] = [pick(codes), pick(states)]
    return {
      slug,
      code,
      state,
      about: () => [validation(code)],
      confirm: () => void purchases.set(code, { ...purchases.get(code)!, state }),
    }
  }

  function revoke(): Change {
    const live = [...keys].flatMap(([key, { name, state }]) => (state === 'live' ? [{ key, name }] : []))
    if (live.length < keyCount) return makeKey()
    const { key, name } = pick(live)
    return {
      slug,
      revoked: name,
      about: () => ofKey(key),
      confirm: () => void keys.set(key, { name, state: 'revoked' }),
    }
  }

  // An import starts a thread that reads the sources: most of what is written comes from the console.
  const imports = [changeItems, changePurchases, changeAccount, loadKey]
  const change = () => (below(6) === 0 ? pick(imports) : pick([setState, makeKey, revoke, revoke]))

  const anything = (): Query[] => [
    ...some(codes).map((code) => validation(code)),
    ...some([...keys.keys()].slice(-keyCount)).flatMap(ofKey),
    ...itemIds.map((id) => ({ operation: 'getItem', key: everlasting, item: id }) as const),
    { operation: 'getAccount', key: everlasting },
  ]

  return {
    records: (password: string): readonly object[] => [
      { ...accountRecord(balance), password },
      workspace(slug),
      ...[...names].map(([id, name]) => itemRecord(id, name)),
      keyRecord(everlasting),
      ...[...purchases].map(([code, sale]) => saleRecord(code, sale)),
    ],

    change(): Change {
      count++
      return change()()
    },

    /** What a change is about, and something else. */
    questions: ({ about }: Change): Query[] => [...about(), ...anything()],

    expect({ operation, key, code, item }: Query): string {
      const state = keys.get(key)?.state ?? 'live'
      if (state !== 'live') return `401 ${state}_api_key`
      if (operation === 'getAccount') return String(balance)
      if (operation === 'getItem') return names.get(item!)!
      if (operation === 'listItems') return [...names.values()].reverse().join('; ')
      const sale = purchases.get(code!)!
      return sale.state === 'active' ? `${sale.price} ${names.get(itemOf(code!))}` : '404 purchase_not_active'
    },

    /** The same of an answer that is a success. */
    essence({ operation }: Query, { data, item, items }: Body): string {
      if (operation === 'getAccount') return String(data!.balance)
      if (operation === 'getItem') return item!.name
      if (operation === 'listItems') return items!.map(({ name }) => name).join('; ')
      return `${data!.purchase.price} ${data!.purchase.item.name}`
    },
  }
}
