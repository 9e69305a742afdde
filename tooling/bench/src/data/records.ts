import { createHash } from 'node:crypto'
import type { DataSet } from './data-sets.ts'

// Every value follows from the index of its record: data sets are the same on every machine, and a scenario can name a key or a
// code without reading the database.

const kinds = ['image', 'video', 'audio'] as const
const words =
  'clean modern layered vector template motion title intro loop ambient responsive editable seamless studio'.split(
    ' ',
  )
const workspacesPerAccount = 5
const firstItemId = 1001

const digest = (text: string) => createHash('sha256').update(text).digest('hex')
const word = (index: number) => words[index % words.length] ?? ''
const phrase = (index: number, length: number) =>
  Array.from({ length }, (_, offset) => word(index * 7 + offset * 5)).join(' ')
const files = (path: string) => `https://files.example.com/${path}`
const itemKind = (item: number) => kinds[item % kinds.length] ?? 'image'
const dateTime = (start: string, minutes: number) =>
  new Date(Date.parse(start) + minutes * 60_000).toISOString().replace('.000', '')

export const workspaceSlug = (workspace: number) => `studio-${workspace}`
export const workspaceKey = (workspace: number) => `bench_${digest(`key ${workspace}`).slice(0, 38)}`
export const unknownKey = (index: number) => `bench_${digest(`unknown key ${index}`).slice(0, 38)}`
export const itemIdAt = (item: number) => firstItemId + item

const asCode = (hex: string) =>
  [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join('-')
export const purchaseCode = (purchase: number) => asCode(digest(`purchase ${purchase}`))
export const createUnknownCode = (index: number) => asCode(digest(`unknown purchase ${index}`))

export function workspaceOfItem({ workspaces, mainItems }: DataSet, item: number): number {
  return item < mainItems || workspaces === 1 ? 0 : 1 + ((item - mainItems) % (workspaces - 1))
}

export const itemOfPurchase = ({ items }: DataSet, purchase: number) => purchase % items

/** One purchase in a hundred is refunded: stored, but not valid. */
export const isActive = ({ items }: DataSet, purchase: number) =>
  (purchase + Math.floor(purchase / items)) % 100 !== 99

function accountRecord(index: number) {
  const username = `seller-${index}`
  return {
    type: 'account',
    username,
    email: `${username}@example.com`,
    name: { firstname: 'Ada', lastname: `Lima ${index}`, full_name: `Ada Lima ${index}` },
    balance: '1250.50',
    currency: 'USD',
    profile: {
      heading: phrase(index, 6),
      description: phrase(index, 40),
      contact: { email: `hello-${index}@example.com` },
      social_links: { x: `https://x.com/${username}`, facebook: `https://facebook.com/${username}` },
      media: { avatar: files(`${username}/avatar.png`), cover: files(`${username}/cover.png`) },
    },
    registered_at: '2023-01-31T08:00:00Z',
  }
}

function itemMedia(item: number) {
  const kind = itemKind(item)
  const file = (name: string) => files(`items/${digest(`file ${item}`).slice(0, 24)}/${name}`)
  return {
    thumbnail: file('thumbnail.png'),
    preview_image: file('preview.png'),
    ...(kind === 'video' && { preview_video: file('preview.mp4') }),
    ...(kind === 'audio' && { preview_audio: file('preview.mp3') }),
    screenshots: Array.from({ length: item % 5 }, (_, index) => file(`screenshot-${index}.png`)),
  }
}

function itemRecord(dataSet: DataSet, item: number) {
  return {
    type: 'item',
    workspace: workspaceSlug(workspaceOfItem(dataSet, item)),
    id: itemIdAt(item),
    kind: itemKind(item),
    name: `${phrase(item, 4)} ${item}`,
    description: phrase(item, 75),
    category: word(item),
    sub_category: `${word(item)} ${word(item + 1)}`,
    options: Array.from({ length: 4 }, (_, index) => phrase(item + index, 2)),
    version: `1.${item % 30}.${item % 7}`,
    demo_link: files(`demo/${item}`),
    tags: Array.from({ length: 8 }, (_, index) => word(item + index * 2)),
    media: itemMedia(item),
    price: { regular: `${9 + (item % 90)}.99`, extended: `${199 + (item % 300)}` },
    currency: 'USD',
    url: files(`store/${item}`),
    support: item % 4 !== 0,
    published_at: dateTime('2021-01-01T00:00:00Z', item * 37),
  }
}

const syllables = [
  'ma',
  'ri',
  'jo',
  'an',
  'lu',
  'ca',
  'fe',
  'be',
  'ti',
  'so',
  'le',
  'na',
  'ra',
  'do',
  'vi',
  'te',
]

/** The first ones begin differently. */
export const nameAt = (rank: number) =>
  [...rank.toString(16).padStart(2, '0')]
    .reverse()
    .map((digit) => syllables[Number.parseInt(digit, 16)])
    .join('')

/** Names are frequent by their rank: the first of 2,000 first names has one buyer in eleven. */
export function customerOf(purchase: number) {
  const hex = digest(`buyer ${purchase}`)
  const [first = '', last = ''] = [2000, 20_000].map((names, index) =>
    nameAt(Math.floor(names ** (Number.parseInt(hex.slice(8 * index, 8 * index + 8), 16) / 2 ** 32))),
  )
  return {
    customer_name: `${first} ${last}`,
    customer_email: `${first}.${last}${purchase % 100}@example.com`,
    order: `#${100_000 + purchase}`,
    ...(purchase % 50 === 0 && { note: 'asked for an invoice' }),
  }
}

function purchaseRecord(dataSet: DataSet, purchase: number) {
  const item = itemOfPurchase(dataSet, purchase)
  return {
    type: 'purchase',
    item: itemIdAt(item),
    purchase_code: purchaseCode(purchase),
    license_type: purchase % 10 === 0 ? 'Extended' : 'Regular',
    price: 19.99,
    currency: 'USD',
    ...(item % 4 !== 0 && { supported_until: dateTime('2027-01-01T00:00:00Z', purchase) }),
    downloaded: purchase % 3 === 0,
    date: dateTime('2022-01-01T00:00:00Z', purchase * (dataSet.minutesApart ?? 1)),
    state: isActive(dataSet, purchase) ? 'active' : 'refunded',
    ...(dataSet.hasCustomers && customerOf(purchase)),
  }
}

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index)

export type BenchRecord = ReturnType<typeof createRecords> extends Generator<infer Each> ? Each : never

/** Every record of a data set, in the order of an import. */
export function* createRecords(dataSet: DataSet) {
  for (const index of upTo(Math.ceil(dataSet.workspaces / workspacesPerAccount))) yield accountRecord(index)
  for (const index of upTo(dataSet.workspaces)) {
    const owner = `seller-${Math.floor(index / workspacesPerAccount)}`
    yield { type: 'workspace', slug: workspaceSlug(index), name: `Studio ${index}`, owner }
    yield { type: 'api_key', workspace: workspaceSlug(index), name: 'bench', key: workspaceKey(index) }
  }
  for (const index of upTo(dataSet.items)) yield itemRecord(dataSet, index)
  for (let index = 0; index < dataSet.purchases; index++) yield purchaseRecord(dataSet, index)
}
