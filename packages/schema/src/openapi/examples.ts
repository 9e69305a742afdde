import type { Account } from '../account.ts'
import type { ItemBase, ItemExtended } from '../item.ts'
import type { OperationName } from '../messages/index.ts'
import type { ResponseBodies } from '../operations.ts'
import type { PurchaseBase, PurchaseExtended } from '../purchase.ts'
import type { Shape } from '../shape.ts'

const account: Account = {
  name: { firstname: 'Ada', lastname: 'Lima', full_name: 'Ada Lima' },
  username: 'ada',
  email: 'ada@example.com',
  balance: 1250.5,
  currency: 'USD',
  profile: {
    heading: 'Interface sounds and textures',
    description: 'Small things that make a product feel finished.',
    contact: { email: 'hi@example.com' },
    social_links: { x: 'https://x.com/ada', facebook: 'https://facebook.com/ada' },
    media: { avatar: 'https://cdn.example.com/ada/avatar.png', cover: '' },
  },
  registered_at: '2023-01-31T08:00:00Z',
}

const paperBefore = {
  id: 101,
  name: 'Paper Textures',
  description: 'Forty scanned sheets of paper.',
  category: 'Graphics',
  sub_category: 'Textures',
  options: ['PNG', 'Layered'],
}

const paperAfter = {
  demo_link: 'https://demo.example.com/paper',
  tags: ['paper', 'texture'],
}

const paperPrice = {
  price: { regular: 19.99, extended: 99 },
  currency: 'USD',
  published_at: '2024-04-27T12:00:00Z',
}

const paperBase: ItemBase = {
  ...paperBefore,
  ...paperAfter,
  media: {
    preview_image: 'https://cdn.example.com/101/preview.jpg',
    screenshots: ['https://cdn.example.com/101/1.jpg'],
  },
  ...paperPrice,
}

const paperExtended: ItemExtended = {
  ...paperBefore,
  version: '1.4.2',
  ...paperAfter,
  media: {
    thumbnail: 'https://cdn.example.com/101/thumbnail.jpg',
    preview_image: 'https://cdn.example.com/101/preview.jpg',
    screenshots: ['https://cdn.example.com/101/1.jpg'],
  },
  ...paperPrice,
}

const clickBefore = {
  id: 100,
  name: 'Soft Clicks',
  description: 'Twelve sounds for buttons.',
  category: 'Audio',
  sub_category: 'Interface',
  options: [],
}

const clickAfter = { demo_link: '', tags: ['click'] }

const clickPrice = {
  price: { regular: 900, extended: 4500 },
  currency: 'JPY',
  published_at: '2023-11-02T09:30:00Z',
}

const clickBase: ItemBase = {
  ...clickBefore,
  ...clickAfter,
  media: { preview_image: 'https://cdn.example.com/100/preview.jpg', screenshots: [] },
  ...clickPrice,
}

const clickExtended: ItemExtended = {
  ...clickBefore,
  version: '2.0.0',
  ...clickAfter,
  media: { thumbnail: '', preview_audio: 'https://cdn.example.com/100/preview.mp3' },
  ...clickPrice,
}

/** A code that belongs to nobody. */
export const examplePurchaseCode = '7F3K-9QXD-2M4T-8WVB'

const purchaseBase: PurchaseBase = {
  purchase_code: examplePurchaseCode,
  license_type: 'Regular',
  price: 19.99,
  currency: 'USD',
  item: {
    id: 101,
    name: 'Paper Textures',
    url: 'https://shop.example.com/paper-textures',
    media: { preview_image: 'https://cdn.example.com/101/preview.jpg' },
  },
  downloaded: false,
  date: '2024-05-01T10:15:00Z',
}

const purchaseExtended: PurchaseExtended = {
  purchase_code: examplePurchaseCode,
  license_type: 'Regular',
  currency: 'USD',
  item: paperExtended,
  supported_until: '2025-05-01T10:15:00Z',
  downloaded: false,
  date: '2024-05-01T10:15:00Z',
}

/** An answer of each operation in each shape. */
export const successExamples: {
  [Name in OperationName]: { [S in Shape]: ResponseBodies<S>[Name] }
} = {
  getAccount: {
    base: { status: 'success', data: account },
    extended: { status: 'success', data: account },
  },
  listItems: {
    base: { status: 'success', items: [paperBase, clickBase] },
    extended: { status: 'success', items: [paperExtended, clickExtended] },
  },
  getItem: {
    base: { status: 'success', item: paperBase },
    extended: { status: 'success', item: paperExtended },
  },
  validatePurchase: {
    base: { status: 'success', data: { purchase: purchaseBase } },
    extended: { status: 'success', data: { purchase: purchaseExtended } },
  },
}
