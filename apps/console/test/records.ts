/** The owners: two with data that the other must not see, two without a workspace, one with an empty workspace. */

export const passwords = {
  ada: 'ada has a long password',
  bob: 'bob has another one',
  cleo: 'cleo begins here',
  dina: 'dina begins here too',
  eva: 'eva has a workspace',
} as const
export type Owner = keyof typeof passwords

export const keys = {
  production: 'sp_console_test_production_key_of_ada',
  old: 'sp_console_test_old_key_of_ada',
  en: 'sp_console_test_key_of_ada_to_revoke_in_english',
  pt: 'sp_console_test_key_of_ada_to_revoke_in_portuguese',
  bob: 'sp_console_test_key_of_bob',
} as const

export const codes = {
  active: 'ADA1-AAAA-BBBB-CCCC-0001',
  refunded: 'ADA1-AAAA-BBBB-CCCC-0002',
  revoked: 'ADA1-AAAA-BBBB-CCCC-0003',
  refundMe: 'ADA1-AAAA-BBBB-CCCC-0004',
  ofSecond: 'ADA2-DDDD-EEEE-FFFF-0001',
  bob: 'BOB1-GGGG-HHHH-IIII-0001',
} as const

const person = (username: Owner, firstname: string, lastname: string) => ({
  type: 'account',
  username,
  email: `${username}@example.com`,
  name: { firstname, lastname, full_name: `${firstname} ${lastname}` },
  balance: '1250.50',
  currency: 'BRL',
  profile: {
    heading: 'Icons, films and sound',
    description: 'Drawn by hand.',
    contact: { email: `hi-${username}@example.com` },
    social_links: { x: `https://example.com/x/${username}` },
    media: { avatar: '', cover: '' },
  },
  registered_at: '2023-01-31T08:00:00Z',
  password: passwords[username],
})

const kinds = ['image', 'video', 'audio'] as const
const categories = ['Graphics', 'Footage', 'Music'] as const

const media = (kind: (typeof kinds)[number], at: string) => ({
  thumbnail: `${at}/thumbnail.png`,
  preview_image: `${at}/preview.png`,
  ...(kind === 'video' && { preview_video: `${at}/preview.mp4` }),
  ...(kind === 'audio' && { preview_audio: `${at}/preview.mp3` }),
  screenshots: [`${at}/1.png`],
})

const item = (workspace: string, id: number, name: string, mediaUrl: string) => ({
  type: 'item',
  workspace,
  id,
  kind: kinds[id % 3]!,
  name,
  description: `${name}, made with care.`,
  category: categories[id % 3]!,
  sub_category: 'Packs',
  options: ['svg', 'png'],
  version: '1.4.2',
  demo_link: 'https://example.com/demo',
  tags: ['pack', 'hand-drawn'],
  media: media(kinds[id % 3]!, mediaUrl),
  price: { regular: 19.99, extended: 99 },
  currency: id % 5 === 0 ? 'BRL' : 'USD',
  url: `https://example.com/items/${id}`,
  support: id % 2 === 1,
  published_at: new Date(Date.UTC(2024, 0, 1) + id * 86_400_000).toISOString(),
})

const purchase = (itemId: number, code: string, extra: object = {}) => ({
  type: 'purchase',
  item: itemId,
  purchase_code: code,
  license_type: 'Regular',
  price: 19.99,
  currency: 'USD',
  supported_until: '2027-04-27T12:00:00Z',
  downloaded: true,
  date: '2026-04-27T12:00:00Z',
  ...extra,
})

const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString()

const apiKey = (workspace: string, name: string, key: string, extra: object = {}) => ({
  type: 'api_key',
  workspace,
  name,
  key,
  ...extra,
})

/** Purchases of one item on consecutive days, enough for several pages. */
const many = Array.from({ length: 120 }, (_, index) =>
  purchase(102, `MANY-${String(index).padStart(4, '0')}-QRST-UVWX`, {
    license_type: index % 3 === 0 ? 'Extended' : 'Regular',
    state: index % 10 === 9 ? 'refunded' : 'active',
    date: new Date(Date.UTC(2025, 0, 1) + index * 86_400_000).toISOString(),
  }),
)

/** `mediaUrl` is the host that serves the media of the items. */
export const records = (mediaUrl: string): readonly object[] => [
  person('ada', 'Ada', 'Lima'),
  person('bob', 'Bob', 'Stone'),
  person('cleo', 'Cleo', 'Nova'),
  person('dina', 'Dina', 'Nova'),
  person('eva', 'Eva', 'Rios'),
  { type: 'workspace', slug: 'ada-studio', name: 'Ada Studio', owner: 'ada' },
  { type: 'workspace', slug: 'ada-sons', name: 'Ada Sons', owner: 'ada', locale: 'pt', shape: 'extended' },
  { type: 'workspace', slug: 'bob-works', name: 'Bob Works', owner: 'bob' },
  { type: 'workspace', slug: 'eva-loja', name: 'Loja da Eva', owner: 'eva' },
  item('ada-studio', 101, 'Harbour icons', mediaUrl),
  ...Array.from({ length: 58 }, (_, index) =>
    item('ada-studio', 102 + index, `Pack number ${index + 2}`, mediaUrl),
  ),
  { ...item('ada-studio', 160, 'Pack number 60', mediaUrl), withdrawn_at: '2026-01-31T08:00:00Z' },
  item('ada-sons', 301, 'Sons da chuva', mediaUrl),
  item('bob-works', 401, 'Bob’s secret item', mediaUrl),
  apiKey('ada-studio', 'production', keys.production),
  apiKey('ada-studio', 'server en', keys.en),
  apiKey('ada-studio', 'server pt', keys.pt),
  apiKey('ada-studio', 'old server', keys.old, { revoked_at: '2025-01-01T00:00:00Z' }),
  apiKey('bob-works', 'bob’s key', keys.bob),
  purchase(101, codes.active),
  purchase(101, codes.refunded, { state: 'refunded' }),
  purchase(101, codes.revoked, { state: 'revoked' }),
  purchase(101, codes.refundMe, { license_type: 'Extended', price: 99 }),
  purchase(301, codes.ofSecond, { date: hoursAgo(2) }),
  purchase(301, 'ADA2-DDDD-EEEE-FFFF-0002', { price: '0.01', date: hoursAgo(3) }),
  // Sold before the longest period of the overview, and refunded lately.
  purchase(301, 'ADA2-DDDD-EEEE-FFFF-0003', {
    price: 1250,
    currency: 'JPY',
    state: 'refunded',
    refunded_at: hoursAgo(1),
  }),
  purchase(401, codes.bob),
  ...many,
]
