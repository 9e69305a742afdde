import { generateApiKey } from '../../../src/crypto/api-key.ts'
import { type Canary, randomWord } from './scan.ts'

const named = <Name extends string>(names: readonly Name[], make: () => string) =>
  Object.fromEntries(names.map((name) => [name, make()])) as Record<Name, string>

const address = () => `${randomWord(12)}@${randomWord(14)}.example`

const listed = (kind: string, values: Readonly<Record<string, string>>): Canary[] =>
  Object.entries(values).map(([name, value]) => ({ name: `${kind} ${name}`, value }))

/** Values that stand nowhere else: what is stored, and for each kind one that is unknown. */
export function createCanaries() {
  const keys = named(['secret', 'publishable', 'expired', 'revoked', 'unknown'], generateApiKey)
  const codes = named(['active', 'refunded', 'unknown'], () => `code-${randomWord(26)}`)
  const addresses = named(['own', 'contact', 'unknown'], address)
  /** What a purchase says of its customer: no response of the API has it. */
  const customer = {
    customer_email: address(),
    ...named(['customer_name', 'order', 'note'], () => `${randomWord(20)}-x`),
  }
  const passwords = named(['imported', 'typed', 'wrong'], () => `pass ${randomWord(26)}`)
  const tokens = named(['admin', 'metrics', 'wrong'], () => randomWord(32))
  const secret = randomWord(40)
  /** Belongs into no file, not even the database. */
  const secrets = [
    ...listed('key', keys),
    ...listed('password', passwords),
    ...listed('token', tokens),
    { name: 'secret', value: secret },
  ]
  /** Is stored, and belongs into no output about the service. */
  const stored = [...listed('code', codes), ...listed('address', addresses)]
  /** One or two of each kind: what is sent in every place. */
  const sent = [keys.secret, keys.publishable, codes.active, codes.unknown, addresses.own, passwords.wrong]
  return {
    sent,
    keys,
    codes,
    addresses,
    customer,
    passwords,
    tokens,
    secret,
    secrets,
    stored,
    all: [...secrets, ...stored, ...listed('customer', customer)],
  }
}

export type Canaries = ReturnType<typeof createCanaries>

/** A shop that is made of them. */
export function recordsOf({ keys, codes, addresses, customer, passwords }: Canaries) {
  const profile = {
    heading: '',
    description: '',
    contact: { email: addresses.contact },
    social_links: {},
    media: { avatar: '', cover: '' },
  }
  const key = (name: string, value: string, more: object = {}) => ({
    type: 'api_key',
    workspace: 'studio',
    name,
    key: value,
    ...more,
  })
  const purchase = (code: string, more: object = {}) => ({
    type: 'purchase',
    item: 1,
    purchase_code: code,
    license_type: 'Regular',
    price: 1,
    currency: 'USD',
    downloaded: false,
    date: '2024-01-01T00:00:00Z',
    ...more,
  })
  return [
    {
      type: 'account',
      username: 'ada',
      email: addresses.own,
      balance: 0,
      currency: 'USD',
      profile,
      name: { firstname: 'A', lastname: 'L', full_name: 'A L' },
      registered_at: '2024-01-01T00:00:00Z',
      password: passwords.imported,
    },
    { type: 'workspace', slug: 'studio', name: 'S', owner: 'ada' },
    {
      type: 'item',
      workspace: 'studio',
      id: 1,
      kind: 'image',
      name: 'I',
      description: '',
      category: 'c',
      sub_category: 's',
      options: [],
      version: '1.0.0',
      demo_link: '',
      tags: [],
      currency: 'USD',
      media: { thumbnail: '', preview_image: 'https://example.com/1.png', screenshots: [] },
      price: { regular: 1, extended: 2 },
      url: 'https://example.com/1',
      support: true,
      published_at: '2024-01-01T00:00:00Z',
    },
    key('secret', keys.secret),
    key('publishable', keys.publishable, { publishable: true }),
    key('expired', keys.expired, { expires_at: '2024-01-01T00:00:00Z' }),
    key('revoked', keys.revoked, { revoked_at: '2024-01-01T00:00:00Z' }),
    purchase(codes.active, customer),
    purchase(codes.refunded, { state: 'refunded' }),
  ]
}
