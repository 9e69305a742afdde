import { cleanPastedCode, currencyCodes, currencyDigits, itemKinds, purchaseStates } from '@saleproof/schema'
import fc from 'fast-check'

const text = fc
  .string({ unit: 'grapheme', maxLength: 20 })
  .filter((value) => value.isWellFormed() && !value.includes('\0'))
/** As it is stored. */
const trimmed = text.map((value) => `n ${value}.`.normalize())
const link = fc.webUrl({ validSchemes: ['http', 'https'], withQueryParameters: true })
const optionalLink = fc.oneof(fc.constant(''), link)

const second = fc
  .date({ min: new Date('0001-01-02T00:00:00Z'), max: new Date('9998-12-31T00:00:00Z'), noInvalidDate: true })
  .map((date) => `${date.toISOString().slice(0, 19)}`)

/** A time in any offset, with or without a fraction. */
const dateTime = fc
  .tuple(second, fc.constantFrom('', '.5', '.999999'), fc.constantFrom('Z', '+05:30', '-03:00', '+14:00'))
  .map((parts) => parts.join(''))

const digitsOf = (currency: string) => currencyDigits(currency) ?? 2

/** An amount in a form that its currency takes, as a number or a string. */
const amount = (currency: string, min = 0) => {
  const digits = digitsOf(currency)
  const largest = digits === 4 ? 99_999_999_999 : 999_999_999_999
  return fc
    .tuple(
      fc.integer({ min: min < 0 ? -largest + 1 : 0, max: largest - 1 }),
      fc.integer({ min: 0, max: 10 ** digits - 1 }),
      fc.boolean(),
    )
    .map(([whole, fraction, asNumber]) => {
      const decimal = digits ? `${whole}.${String(fraction).padStart(digits, '0')}` : String(whole)
      return asNumber ? Number(decimal) : decimal
    })
}

// Made once: fast-check takes milliseconds to read each of them.
const username = fc.stringMatching(/^[a-z0-9é._-]{1,20}$/u)
const socialNetwork = fc.stringMatching(/^[a-z][a-z0-9]{0,9}$/)

const currency = fc.constantFrom(...currencyCodes)
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined })
const orNull = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: null })

export const accountArbitrary = currency.chain((code) =>
  fc.record({
    type: fc.constant('account'),
    username,
    email: fc.constantFrom('', 'ada@example.com', 'josé@exemplo.pt'),
    name: fc.record({ firstname: text, lastname: text, full_name: text }),
    balance: amount(code, -1),
    currency: fc.constant(code),
    profile: fc.record({
      heading: text,
      description: text,
      contact: fc.record({ email: fc.constantFrom('', 'hi@example.com') }),
      social_links: fc.dictionary(socialNetwork, link, { noNullPrototype: true }),
      media: fc.record({ avatar: optionalLink, cover: optionalLink }),
    }),
    registered_at: dateTime,
  }),
)

export const itemArbitrary = fc.tuple(currency, fc.constantFrom(...itemKinds)).chain(([code, kind]) =>
  fc.record({
    type: fc.constant('item'),
    id: fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
    kind: fc.constant(kind),
    name: text,
    description: text,
    category: text,
    sub_category: text,
    options: fc.array(text, { maxLength: 3 }),
    version: fc.tuple(fc.nat(), fc.nat(), fc.nat()).map((parts) => parts.join('.')),
    demo_link: optionalLink,
    tags: fc.array(text, { maxLength: 3 }),
    media: fc.record({
      thumbnail: optionalLink,
      preview_image: link,
      ...(kind !== 'image' && { [`preview_${kind}`]: link }),
      screenshots: fc.array(link, { maxLength: 3 }),
    }),
    price: fc.record({ regular: amount(code), extended: amount(code) }),
    currency: fc.constant(code),
    url: link,
    support: fc.boolean(),
    published_at: dateTime,
    withdrawn_at: maybe(orNull(dateTime)),
  }),
)

export const keyArbitrary = fc.record({
  type: fc.constant('api_key'),
  name: text,
  key: fc.stringMatching(/^[!-~]{16,60}$/),
  expires_at: maybe(orNull(dateTime)),
  revoked_at: maybe(orNull(dateTime)),
})

/** Only a refunded purchase has the time of its refund. */
const stateArbitrary = fc.oneof(
  fc.record({ state: maybe(orNull(fc.constantFrom(...purchaseStates))) }),
  fc.record({ state: fc.constant('refunded'), refunded_at: maybe(orNull(dateTime)) }),
)

const soldArbitrary = currency.chain((code) =>
  fc.record({
    type: fc.constant('purchase'),
    purchase_code: text.map((value) => `c${value.trim()}-`),
    license_type: text.map((value) => `L${value}`),
    price: amount(code),
    currency: fc.constant(code),
    supported_until: maybe(orNull(dateTime)),
    downloaded: fc.boolean(),
    date: dateTime,
    customer_name: maybe(orNull(trimmed)),
    customer_email: maybe(orNull(fc.constantFrom('ada@example.com', 'josé@exemplo.pt'))),
    order: maybe(orNull(fc.constantFrom('#1001', '1002'))),
    note: maybe(orNull(trimmed)),
  }),
)

export const purchaseArbitrary = fc
  .tuple(soldArbitrary, stateArbitrary)
  .map(([sold, state]) => ({ ...sold, ...state }))

const by = <T>(selector: (value: T) => unknown) => ({ selector, maxLength: 4 }) as const

/** A small file that is right: accounts, a workspace, items, keys and purchases that refer to each other. */
export const fileArbitrary = fc
  .record({
    account: accountArbitrary,
    shape: maybe(orNull(fc.constantFrom('base', 'extended'))),
    locale: maybe(orNull(fc.constantFrom('en', 'pt'))),
    items: fc.uniqueArray(itemArbitrary, { ...by((item) => item.id), minLength: 1 }),
    keys: fc.uniqueArray(
      keyArbitrary,
      by((key) => key.key),
    ),
    purchases: fc.uniqueArray(
      purchaseArbitrary,
      by((purchase) => cleanPastedCode(purchase.purchase_code)),
    ),
    publishable: fc.boolean(),
    rotated: fc.boolean(),
  })
  .map(({ account, shape, locale, items, keys, purchases, publishable, rotated }) => [
    account,
    { type: 'workspace', slug: 'studio', name: 'Studio', owner: account.username, shape, locale },
    ...items.map((item) => ({ ...item, workspace: 'studio' })),
    ...keys.map((key, index) => ({
      ...key,
      workspace: 'studio',
      replaces: rotated ? keys[index + 1]?.key : undefined,
      publishable,
      items: publishable ? items.map(({ id }) => id) : [],
    })),
    ...purchases.map((purchase, index) => ({ ...purchase, item: items[index % items.length]?.id })),
  ])

/** One of each, by hand. */
export const sample = {
  account: {
    type: 'account',
    username: 'ada',
    email: 'ada@example.com',
    name: { firstname: 'Ada', lastname: 'Lima', full_name: 'Ada Lima' },
    balance: '1250.50',
    currency: 'USD',
    profile: {
      heading: '',
      description: '',
      contact: { email: 'hi@example.com' },
      social_links: { x: 'https://x.com/ada' },
      media: { avatar: '', cover: '' },
    },
    registered_at: '2023-01-31T08:00:00Z',
  },
  workspace: { type: 'workspace', slug: 'studio', name: 'Studio', owner: 'ada' },
  item: {
    type: 'item',
    workspace: 'studio',
    id: 101,
    kind: 'image',
    name: 'Icons',
    description: '',
    category: '',
    sub_category: '',
    options: [],
    version: '1.4.2',
    demo_link: '',
    tags: [],
    media: { thumbnail: '', preview_image: 'https://example.com/p.png', screenshots: [] },
    price: { regular: 19.99, extended: 99 },
    currency: 'USD',
    url: 'https://example.com/101',
    support: true,
    published_at: '2024-04-27T12:00:00Z',
  },
  key: { type: 'api_key', workspace: 'studio', name: 'production', key: 'a-key-that-was-imported' },
  purchase: {
    type: 'purchase',
    item: 101,
    purchase_code: 'AAAA-BBBB-CCCC',
    license_type: 'Regular',
    price: 19.99,
    currency: 'USD',
    supported_until: '2025-04-27T12:00:00Z',
    downloaded: false,
    date: '2024-04-27T12:00:00Z',
  },
} as const

export const samples = Object.values(sample)
