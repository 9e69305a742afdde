/** Records that cover every form of an answer, and a second workspace whose ids and codes must look like unknown ones. */

export const secretKey = 'sp_test_secret_key_of_ada_studio'
export const otherKey = 'sp_test_secret_key_of_bob_works'
export const emptyKey = 'sp_test_secret_key_of_an_empty_one'
export const publishableKey = 'sp_test_publishable_key_of_ada'
export const boundKey = 'sp_test_publishable_key_bound_101'
export const expiredKey = 'sp_test_secret_key_that_expired'
export const revokedKey = 'sp_test_secret_key_that_was_revoked'
export const portugueseKey = 'sp_test_secret_key_of_pt_extended'

export const codes = {
  active: 'AAAA-1111-active-image',
  extendedLicense: 'AAAA-2222-extended-license',
  video: 'BBBB-3333-video',
  audio: 'CCCC-4444-audio',
  refunded: 'DDDD-5555-refunded',
  revoked: 'DDDD-6666-revoked',
  others: 'FFFF-8888-of-another-workspace',
  portuguese: 'GGGG-9999-portuguese',
} as const

const account = {
  type: 'account',
  username: 'ada',
  email: 'ada@example.com',
  name: { firstname: 'Ada', lastname: 'Lima', full_name: 'Ada Lima' },
  balance: '-1250.50',
  currency: 'USD',
  profile: {
    heading: 'Ícones & sons',
    description: 'Made with “care”.',
    contact: { email: 'hi@example.com' },
    social_links: { x: 'https://x.com/ada', facebook: 'https://facebook.com/ada', a: 'https://a.example/' },
    media: { avatar: 'https://cdn.example.com/avatar.png', cover: '' },
  },
  registered_at: '2023-01-31T08:00:00.999Z',
} as const

const image = {
  type: 'item',
  workspace: 'ada-studio',
  id: 101,
  kind: 'image',
  name: 'Icon pack',
  description: '400 icons',
  category: 'graphics',
  sub_category: 'icons',
  options: ['svg', 'png'],
  version: '1.4.2',
  demo_link: 'https://example.com/demo/101',
  tags: ['icons', 'ui'],
  media: {
    thumbnail: 'https://cdn.example.com/101/t.png',
    preview_image: 'https://cdn.example.com/101/p.png',
    screenshots: ['https://cdn.example.com/101/1.png', 'https://cdn.example.com/101/2.png'],
  },
  price: { regular: 19.99, extended: 99 },
  currency: 'USD',
  url: 'https://example.com/items/101',
  support: true,
  published_at: '2024-04-27T14:00:00+02:00',
} as const

const video = {
  ...image,
  id: 102,
  kind: 'video',
  name: 'Intro clip',
  demo_link: '',
  media: {
    thumbnail: '',
    preview_image: 'https://cdn.example.com/102/p.png',
    preview_video: 'https://cdn.example.com/102/v.mp4',
    screenshots: [],
  },
  price: { regular: 1500, extended: 9000 },
  currency: 'JPY',
  url: 'https://example.com/items/102',
  support: false,
  published_at: '2024-05-01T00:00:00Z',
} as const

const audio = {
  ...image,
  id: 9007199254740991,
  kind: 'audio',
  name: 'Jingle',
  options: [],
  tags: [],
  media: {
    thumbnail: 'https://cdn.example.com/103/t.png',
    preview_image: 'https://cdn.example.com/103/p.png',
    preview_audio: 'https://cdn.example.com/103/a.mp3',
    screenshots: [],
  },
  price: { regular: '1.234', extended: '10.500' },
  currency: 'KWD',
  url: 'https://example.com/items/103',
  published_at: '2024-05-01T00:00:00Z',
} as const

const purchase = {
  type: 'purchase',
  item: 101,
  purchase_code: codes.active,
  license_type: 'Regular',
  price: 17.5,
  currency: 'EUR',
  supported_until: '2025-04-27T12:00:00Z',
  downloaded: false,
  date: '2024-04-27T12:00:00Z',
} as const

const key = (workspace: string, name: string, value: string, more: object = {}) => ({
  type: 'api_key',
  workspace,
  name,
  key: value,
  ...more,
})

export const records: readonly object[] = [
  account,
  {
    ...account,
    username: 'bob',
    email: 'bob@example.com',
    profile: { ...account.profile, contact: { email: 'bob@example.com' } },
  },
  { type: 'workspace', slug: 'ada-studio', name: 'Ada Studio', owner: 'ada' },
  { type: 'workspace', slug: 'bob-works', name: 'Bob Works', owner: 'bob' },
  { type: 'workspace', slug: 'empty', name: 'Empty', owner: 'bob' },
  { type: 'workspace', slug: 'lisboa', name: 'Lisboa', owner: 'ada', shape: 'extended', locale: 'pt' },
  image,
  video,
  audio,
  { ...image, workspace: 'bob-works', id: 201, url: 'https://example.com/items/201' },
  { ...image, workspace: 'lisboa', id: 301, url: 'https://example.com/items/301' },
  key('ada-studio', 'production', secretKey),
  key('bob-works', 'production', otherKey),
  key('empty', 'production', emptyKey),
  key('lisboa', 'production', portugueseKey),
  key('ada-studio', 'plugin', publishableKey, { publishable: true }),
  key('ada-studio', 'plugin of 101', boundKey, { publishable: true, items: [101] }),
  key('ada-studio', 'old', expiredKey, { expires_at: '2024-01-01T00:00:00Z' }),
  key('ada-studio', 'leaked', revokedKey, { revoked_at: '2024-01-01T00:00:00Z' }),
  purchase,
  {
    ...purchase,
    purchase_code: codes.extendedLicense,
    license_type: 'Extended',
    supported_until: null,
    downloaded: true,
  },
  { ...purchase, purchase_code: codes.video, item: 102, price: 1500, currency: 'JPY' },
  { ...purchase, purchase_code: codes.audio, item: 9007199254740991, price: '0.001', currency: 'KWD' },
  { ...purchase, purchase_code: codes.refunded, state: 'refunded' },
  { ...purchase, purchase_code: codes.revoked, state: 'revoked' },
  { ...purchase, purchase_code: codes.others, item: 201 },
  { ...purchase, purchase_code: codes.portuguese, item: 301 },
]
