import { currencyCodes } from '@saleproof/schema'
import fc from 'fast-check'
import { accountArbitrary, itemArbitrary, purchaseArbitrary } from './import-records.ts'

/** Texts that JSON, HTTP or a careless template would write in another way. */
const awkwardText = fc.constantFrom(
  '',
  '"',
  '\\',
  '\\u0041',
  '\u0001\b\f\n\r\t\u007f',
  '\u2028\u2029',
  '</script>',
  '😀👩‍👩‍👧',
  '\ud83d\ude00',
  '\ufeffx',
  'e\u0301',
  'ﬁ',
  '\uffff',
  '{"a":1}',
  "'; DROP TABLE Item; --",
  'x'.repeat(5000),
)
const awkwardMoment = fc.constantFrom(
  '0004-02-29T12:00:00Z',
  '0001-01-02T00:00:00Z',
  '0099-12-31T23:59:59Z',
  '1969-12-31T23:59:59.999Z',
  '1970-01-01T00:00:00Z',
  '2024-02-29T23:59:59+14:00',
  '9999-12-31T23:59:59.999Z',
)
const plainCode = fc.stringMatching(/^[A-Za-z0-9._~-]{1,40}$/)
const visibleCode = fc.stringMatching(/^[!-~]{1,40}$/)
const sometimes = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined, freq: 1 })

/** Puts in what is awkward, where there is something; `undefined` keeps what was there. */
const replaced = <T extends object>(record: T, fields: Readonly<Record<string, unknown>>): T => {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined)
  return { ...record, ...Object.fromEntries(given) }
}

const account = fc
  .tuple(accountArbitrary, sometimes(awkwardText), sometimes(awkwardMoment))
  .map(([record, text, dateTime]) =>
    replaced(
      {
        ...record,
        profile: { ...record.profile, ...(text !== undefined && { heading: text, description: text }) },
      },
      { registered_at: dateTime },
    ),
  )

const item = fc
  .tuple(itemArbitrary, sometimes(awkwardText), sometimes(fc.array(awkwardText)), sometimes(awkwardMoment))
  .map(([record, text, list, dateTime]) =>
    replaced(record, {
      name: text,
      description: text,
      options: list,
      tags: list,
      published_at: dateTime,
    }),
  )

const purchase = fc
  .tuple(
    purchaseArbitrary,
    sometimes(fc.oneof(plainCode, visibleCode)),
    sometimes(awkwardText),
    sometimes(awkwardMoment),
  )
  .map(([record, code, text, dateTime]) =>
    replaced(record, {
      purchase_code: code,
      license_type: text === undefined ? undefined : `L${text}`,
      date: dateTime,
      supported_until: dateTime,
    }),
  )

const key = fc.stringMatching(/^[!-~]{16,60}$/)
const unique = <T>(arbitrary: fc.Arbitrary<T>, selector: (value: T) => unknown, minLength: number) =>
  fc.uniqueArray(arbitrary, { selector, minLength, maxLength: 5 })

/** A price in each currency, so that none is left to chance. */
const inCurrency = (currency: string, record: { price: unknown }) => ({
  ...record,
  currency,
  price: { regular: 123456, extended: 0 },
})

const apiKey = (workspace: string, value: string, more: object = {}) => ({
  type: 'api_key',
  workspace,
  name: '',
  key: value,
  ...more,
})

/** Two workspaces with keys of every kind, and what is to be asked about. */
export const shopArbitrary = fc
  .record({
    account,
    shape: fc.constantFrom(null, 'base', 'extended'),
    locale: fc.constantFrom(null, 'en', 'pt'),
    items: unique(item, ({ id }) => id, 2),
    purchases: unique(purchase, ({ purchase_code }) => purchase_code, 2),
    keys: fc.uniqueArray(key, { minLength: 8, maxLength: 8 }),
    currency: fc.constantFrom(...currencyCodes),
  })
  .map(({ account, shape, locale, items, purchases, keys, currency }) => {
    const [secret, publishable, bound, expired, revoked, other, empty, unknown] = keys as [
      string,
      ...string[],
    ]
    const [foreign, first, ...more] = items as [(typeof items)[0], (typeof items)[0], ...typeof items]
    // Empty lists are explained by the routes: one item of each workspace is not withdrawn.
    const own = [{ ...inCurrency(currency, first), withdrawn_at: null }, ...more]
    const [foreignPurchase, ...sold] = purchases as [(typeof purchases)[0], ...typeof purchases]
    const workspace = (slug: string) => ({ type: 'workspace', slug, name: slug, owner: account.username })
    const records: object[] = [
      account,
      { ...workspace('studio'), shape, locale },
      workspace('other'),
      workspace('empty'),
      ...own.map((record) => ({ ...record, workspace: 'studio' })),
      { ...foreign, workspace: 'other', withdrawn_at: null },
      apiKey('studio', secret),
      apiKey('studio', publishable!, { publishable: true }),
      apiKey('studio', bound!, { publishable: true, items: [first.id] }),
      apiKey('studio', expired!, { expires_at: '2001-01-01T00:00:00Z' }),
      apiKey('studio', revoked!, { revoked_at: '2999-01-01T00:00:00Z' }),
      apiKey('other', other!),
      apiKey('empty', empty!),
      ...sold.map((record, index) => ({
        ...record,
        // One validates in any shop.
        ...(index === 0 && { state: 'active', refunded_at: null }),
        item: [first, ...more][index % items.length]?.id ?? first.id,
      })),
      { ...foreignPurchase, item: foreign.id },
    ]
    return {
      records,
      keys: { secret, publishable, bound, expired, revoked, other, empty, unknown } as Record<string, string>,
      itemIds: [...items.map(({ id }) => id), 1, 999_999_999_999_999],
      codes: [...purchases.map((record) => String(record.purchase_code)), 'unknown', 'AB\u2013CD'],
    }
  })

export type Shop = typeof shopArbitrary extends fc.Arbitrary<infer T> ? T : never
