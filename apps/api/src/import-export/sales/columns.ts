import { currencyDigits } from '@saleproof/schema'
import { type SaleField, saleFields } from '@saleproof/schema/sales-file'
import type { Profile } from './profile.ts'
import { profiles } from './profiles/index.ts'
import { isAmount, isTime, isTimeOfDay, normalize, readFlag, readState, type SaleState } from './values.ts'

/** The column of each field, by its index; -1 for none. */
export type SaleColumns = Readonly<Record<SaleField, number>>

const plain = (name: string) => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')

export const readSaleState = ({ states = {} }: Profile, text: string): SaleState | undefined => {
  const word = normalize(text)
  return Object.hasOwn(states, word) ? states[word] : readState(text)
}

export const isInUtc = ({ utc }: Profile, names: readonly string[]) =>
  utc === true || (utc !== undefined && names.some((name) => plain(name) === plain(utc)))

const isFlag = (text: string) => readFlag(text) !== undefined

/** Whether a text can be the value of a field. */
const fits: Readonly<Partial<Record<SaleField, (text: string, profile: Profile) => boolean>>> = {
  purchase_code: (text) => /^\S{3,255}$/.test(text),
  license_type: (text) => text.length <= 60,
  quantity: (text) => /^\d{1,4}$/.test(text),
  price: isAmount,
  currency: (text) => currencyDigits(text.toUpperCase()) !== undefined,
  date: isTime,
  time: isTimeOfDay,
  supported_until: isTime,
  state: (text, profile) => readSaleState(profile, text) !== undefined,
  refunded: isFlag,
  refunded_amount: isAmount,
  disputed: isFlag,
  dispute_won: isFlag,
  enabled: isFlag,
  no_sale: isFlag,
  repeated: isFlag,
  customer_email: (text) => /^[^\s@]+@[^\s@]+$/.test(text),
}

/** What ends a sale: without its column every sale would be an active one. Values that are unclear are problems of their rows. */
const ending: ReadonlySet<SaleField> = new Set([
  'state',
  'refunded',
  'refunded_amount',
  'disputed',
  'enabled',
  'no_sale',
])

/** What beside a state says that it is one of an address. */
const ofAddress =
  /city|country|zip|postal|postcode|^(?:billing|shipping)?address|street|cidade|país|endereço|^cep$/

/** The profile of a file by the names of its columns. */
export function recognize(names: readonly string[]): Profile {
  const known = new Set(names.map(plain))
  const found = profiles.find(({ recognizedBy }) => recognizedBy.every((name) => known.has(plain(name))))
  // The last one takes any file.
  return found ?? (profiles.at(-1) as Profile)
}

export const findProfile = (name: string) => profiles.find((profile) => profile.name === name)

/**
 * The columns that are called like the fields: an exact name wins over a similar one. `samples` are values of each column; one whose values
 * do not fit is no candidate, but for what ends a sale; a `State` beside a city is that of an address.
 */
export function guessColumns(
  profile: Profile,
  names: readonly string[],
  samples: readonly (readonly string[])[],
): SaleColumns {
  const written = names.map((name) => name.trim().toLowerCase())
  const similar = names.map(plain)
  const hasAddress = similar.some((name) => ofAddress.test(name))
  const isOfAddress = (index: number) => hasAddress && /^(?:state|estado)$/.test(similar[index] ?? '')
  function findColumn(field: SaleField): number {
    const wanted = profile.columns[field] ?? []
    const exact = wanted.map((name) => written.indexOf(name.toLowerCase()))
    const alike = wanted.map((name) => similar.indexOf(plain(name)))
    const named = [...exact, ...alike].filter((index) => index >= 0)
    const share = (index: number) => {
      const fit = fits[field]
      const values = samples[index] ?? []
      return fit && values.length > 0
        ? values.filter((value) => fit(value, profile)).length / values.length
        : 1
    }
    if (!ending.has(field)) return named.find((index) => share(index) >= 0.5) ?? -1
    return named.find((index) => share(index) > 0) ?? named.find((index) => !isOfAddress(index)) ?? -1
  }
  return Object.fromEntries(saleFields.map((field) => [field, findColumn(field)])) as SaleColumns
}
