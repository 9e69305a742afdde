/** The shop that the exactness test writes to and reads from: small, so that every read meets what was just written. */
import { operations } from '@saleproof/schema'
import type { Sent } from '../support/client.ts'

export const itemIds = [1, 2, 3, 4, 5, 6]
export const otherItemId = 101
export const codes = Array.from({ length: 12 }, (_, index) => `CODE-OF-A-PURCHASE-${index}`)
/** A purchase is of one item for ever. */
export const itemOf = (code: string) => itemIds[codes.indexOf(code) % itemIds.length]!

const keysOf = (kind: string) =>
  Array.from({ length: 6 }, (_, index) => `sp_test_${kind}_key_number_${index}`)
export const keys = {
  secret: keysOf('secret'),
  publishable: keysOf('publishable'),
  bound: keysOf('bound'),
  other: keysOf('other'),
}

export const account = {
  type: 'account',
  username: 'ada',
  email: 'ada@example.com',
  name: { firstname: 'Ada', lastname: 'Lima', full_name: 'Ada Lima' },
  balance: '1250.50',
  currency: 'USD',
  profile: {
    heading: '',
    description: '',
    contact: { email: '' },
    social_links: {},
    media: { avatar: '', cover: '' },
  },
  registered_at: '2023-01-31T08:00:00Z',
}

export const workspace = (slug: string) => ({ type: 'workspace', slug, name: slug, owner: 'ada' })

export const item = (id: number, slug = 'studio') => ({
  type: 'item',
  workspace: slug,
  id,
  kind: 'image',
  name: `Item ${id}`,
  description: 'x'.repeat(600),
  category: '',
  sub_category: '',
  options: [],
  version: '1.0.0',
  demo_link: '',
  tags: [],
  media: { thumbnail: '', preview_image: 'https://cdn.example.com/p.png', screenshots: [] },
  price: { regular: 19.99, extended: 99 },
  currency: 'USD',
  url: 'https://example.com/1',
  support: true,
  published_at: '2024-04-27T12:00:00Z',
})

export const purchase = (code: string) => ({
  type: 'purchase',
  item: itemOf(code),
  purchase_code: code,
  license_type: 'Regular',
  price: 19.99,
  currency: 'USD',
  supported_until: '2025-04-27T12:00:00Z',
  downloaded: false,
  date: '2024-04-27T12:00:00Z',
})

export const key = (kind: keyof typeof keys, value: string) => ({
  type: 'api_key',
  workspace: kind === 'other' ? 'other' : 'studio',
  name: kind,
  key: value,
  publishable: kind === 'publishable' || kind === 'bound',
  items: kind === 'bound' ? [1] : [],
})

/** What is stored before anything is written: half of all keys and purchases. */
export const records: readonly object[] = [
  account,
  workspace('studio'),
  workspace('other'),
  ...itemIds.map((id) => item(id)),
  item(otherItemId, 'other'),
  ...Object.entries(keys).flatMap(([kind, texts]) =>
    texts.slice(0, 3).map((text) => key(kind as keyof typeof keys, text)),
  ),
  ...codes.slice(0, 6).map(purchase),
]

const headers = (text: string) => ({ 'x-api-key': text })
const read = (text: string, path: string): Sent => ({ path, headers: headers(text) })
const validate = (text: string, code: string, shape: string): Sent => {
  const body = JSON.stringify({ purchase_code: code, shape })
  const contentHeaders = {
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(body)),
  }
  return {
    method: 'POST',
    path: operations.validatePurchase.path,
    headers: { ...headers(text), ...contentHeaders },
    body,
  }
}

export const validationOf = (text: string, code: string) => validate(text, code, 'base')

/** Everything that is asked, over and over; each is a request that the fast path takes. */
export const probes: readonly Sent[] = [
  ...[keys.secret[0]!, keys.secret[3]!, keys.other[0]!].flatMap((text) => [
    read(text, operations.getAccount.path),
    read(text, operations.listItems.path),
    read(text, `${operations.listItems.path}?shape=extended`),
  ]),
  ...itemIds.flatMap((id) => [
    read(keys.secret[1]!, `${operations.getItem.path}?item_id=${id}`),
    read(keys.secret[4]!, `${operations.getItem.path}?item_id=${id}&shape=extended`),
  ]),
  ...codes
    .slice(2, 9)
    .flatMap((code) => [
      validate(keys.secret[2]!, code, 'base'),
      validate(keys.secret[5]!, code, 'extended'),
      validate(keys.publishable[0]!, code, 'extended'),
      validate(keys.bound[0]!, code, 'base'),
      validate(keys.bound[1]!, code, 'extended'),
    ]),
]

export const environment = {
  PORT: '0',
  PUBLIC_URL: 'https://shop.example',
  SALEPROOF_RATE_LIMIT: 'off',
  SALEPROOF_FAILURE_LIMIT: 'off',
}
