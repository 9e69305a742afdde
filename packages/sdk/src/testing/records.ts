import type { Account, ItemKind, Locale, PurchaseState, Shape } from '@saleproof/schema'

/** A seller. The records of the mock API are those of the import format of the API. */
export interface AccountRecord extends Omit<Account, 'balance'> {
  readonly type: 'account'
  readonly balance: number | string
}

export interface WorkspaceRecord {
  readonly type: 'workspace'
  readonly slug: string
  readonly name: string
  /** A username. */
  readonly owner: string
  readonly shape?: Shape
  readonly locale?: Locale
}

export interface KeyRecord {
  readonly type: 'api_key'
  /** A slug. */
  readonly workspace: string
  readonly key: string
  readonly name?: string
  readonly publishable?: boolean
  /** Ids of the items that a publishable key is bound to. */
  readonly items?: readonly number[]
  readonly expires_at?: string
  readonly revoked_at?: string
}

export interface ItemRecord {
  readonly type: 'item'
  readonly workspace: string
  readonly id: number
  readonly kind: ItemKind
  readonly name: string
  readonly description: string
  readonly category: string
  readonly sub_category: string
  readonly options: readonly string[]
  readonly version: string
  readonly demo_link: string
  readonly tags: readonly string[]
  readonly media: {
    readonly thumbnail: string
    readonly preview_image: string
    readonly preview_video?: string
    readonly preview_audio?: string
    readonly screenshots: readonly string[]
  }
  readonly price: { readonly regular: number | string; readonly extended: number | string }
  readonly currency: string
  readonly url: string
  readonly support: boolean
  readonly published_at: string
}

export interface PurchaseRecord {
  readonly type: 'purchase'
  /** The id of an item. */
  readonly item: number
  readonly purchase_code: string
  readonly license_type: string
  readonly price: number | string
  readonly currency: string
  readonly supported_until?: string | null
  readonly downloaded: boolean
  readonly date: string
  readonly state?: PurchaseState
}

/** What a mock API can be loaded with. */
export type MockRecord = AccountRecord | WorkspaceRecord | KeyRecord | ItemRecord | PurchaseRecord

/** What a mock API holds when nothing else is asked for: one seller, one key, one item, no sale. */
export const defaultKey = 'sp_fake_key_for_tests_only'

export const defaultRecords: readonly MockRecord[] = [
  {
    type: 'account',
    username: 'ada',
    email: 'ada@example.com',
    name: { firstname: 'Ada', lastname: 'Lima', full_name: 'Ada Lima' },
    balance: 0,
    currency: 'USD',
    profile: {
      heading: '',
      description: '',
      contact: { email: 'ada@example.com' },
      social_links: {},
      media: { avatar: '', cover: '' },
    },
    registered_at: '2024-01-01T00:00:00Z',
  },
  { type: 'workspace', slug: 'demo', name: 'Demo', owner: 'ada' },
  { type: 'api_key', workspace: 'demo', key: defaultKey },
  {
    type: 'item',
    workspace: 'demo',
    id: 101,
    kind: 'image',
    name: 'Icon pack',
    description: '400 icons',
    category: 'graphics',
    sub_category: 'icons',
    options: ['svg', 'png'],
    version: '1.0.0',
    demo_link: '',
    tags: ['icons'],
    media: { thumbnail: '', preview_image: 'https://example.com/101.png', screenshots: [] },
    price: { regular: 19, extended: 99 },
    currency: 'USD',
    url: 'https://example.com/items/101',
    support: true,
    published_at: '2024-01-01T00:00:00Z',
  },
]
