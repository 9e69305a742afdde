import type { Account, ItemBase, ItemExtended, PurchaseBase, PurchaseExtended } from '../src/index.ts'

export const apiKey = 'sp_test_Zq81LmN0pR7sTuVwXyZaBcDeFg'
export const code = 'AAAA-1111-BBBB-2222'

export const account: Account = {
  name: { firstname: 'Ada', lastname: 'Lima', full_name: 'Ada Lima' },
  username: 'ada',
  email: 'ada@example.com',
  balance: 1250.5,
  currency: 'USD',
  profile: {
    heading: 'Icons',
    description: '',
    contact: { email: 'hi@example.com' },
    social_links: { x: 'https://x.com/ada' },
    media: { avatar: '', cover: '' },
  },
  registered_at: '2023-01-31T08:00:00Z',
}

const common = {
  id: 101,
  name: 'Icon pack',
  description: '400 icons',
  category: 'graphics',
  sub_category: 'icons',
  options: ['svg'],
  demo_link: '',
  tags: ['icons'],
  price: { regular: 19.99, extended: 99 },
  currency: 'USD',
  published_at: '2024-04-27T12:00:00Z',
}

export const itemBase: ItemBase = {
  ...common,
  media: { preview_image: 'https://cdn.example.com/p.png', screenshots: [] },
}

export const itemExtended: ItemExtended = { ...common, version: '1.4.2', media: { thumbnail: '' } }

export const purchaseBase: PurchaseBase = {
  purchase_code: code,
  license_type: 'Regular',
  price: 19.99,
  currency: 'USD',
  item: {
    id: 101,
    name: 'Icon pack',
    url: 'https://example.com/items/101',
    media: { preview_image: 'https://cdn.example.com/p.png' },
  },
  downloaded: false,
  date: '2024-04-27T12:00:00Z',
}

export const purchaseExtended: PurchaseExtended = {
  purchase_code: code,
  license_type: 'Regular',
  currency: 'USD',
  item: itemExtended,
  supported_until: '2025-04-27T12:00:00Z',
  downloaded: false,
  date: '2024-04-27T12:00:00Z',
}

export const bodies = {
  account: { status: 'success', data: account },
  items: { status: 'success', items: [itemBase] },
  item: { status: 'success', item: itemBase },
  purchase: { status: 'success', data: { purchase: purchaseBase } },
  purchaseExtended: { status: 'success', data: { purchase: purchaseExtended } },
} as const

export const refusal = (msg = 'Invalid purchase code') => ({ status: 'error', msg })
