import type {
  AccountRecord,
  ItemRecord,
  KeyRecord,
  PurchaseRecord,
  WorkspaceRecord,
} from '@saleproof/schema/records'

export type { AccountRecord, ItemRecord, KeyRecord, PurchaseRecord, WorkspaceRecord }

/** A record that a mock API can be loaded with, in the import format of the API. */
export type MockRecord = AccountRecord | WorkspaceRecord | KeyRecord | ItemRecord | PurchaseRecord

/** The key of the default records. */
export const defaultKey = 'sp_fake_key_for_tests_only'

/** What a mock API holds by default: one seller, one key, one item, no purchase. */
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
