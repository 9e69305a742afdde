import { currencyDigits } from '@saleproof/schema'
import { type SaleField, saleFields } from '@saleproof/schema/sales-file'
import type { Profile } from './profile.ts'
import { profiles } from './profiles/index.ts'
import { isAmount, isTime, isTimeOfDay, normalize, readFlag, readState, type SaleState } from './values.ts'

/** The column of each field, by its index; -1 for none. */
export type SaleColumns = Readonly<Record<SaleField, number>>

const plain = (name: string) => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')

export const stateOf = ({ states = {} }: Profile, text: string): SaleState | undefined => {
  const word = normalize(text)
  return Object.hasOwn(states, word) ? states[word] : readState(text)
}

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
  state: (text, profile) => stateOf(profile, text) !== undefined,
  refunded: isFlag,
  refunded_amount: isAmount,
  disputed: isFlag,
  dispute_won: isFlag,
  repeated: isFlag,
  customer_email: (text) => /^[^\s@]+@[^\s@]+$/.test(text),
}

/** What ends a sale: without its column every sale would be an active one. Values that are unclear are problems of their rows. */
const ending: ReadonlySet<SaleField> = new Set(['state', 'refunded', 'refunded_amount', 'disputed'])

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
 * do not fit is no candidate, unless a shop is known to say there what ended a sale.
 */
export function guessColumns(
  profile: Profile,
  names: readonly string[],
  samples: readonly (readonly string[])[],
): SaleColumns {
  const written = names.map((name) => name.trim().toLowerCase())
  const similar = names.map(plain)
  function findColumn(field: SaleField): number {
    const fit = fits[field]
    const isCandidate = (index: number) => {
      const values = samples[index] ?? []
      if (!fit || values.length === 0) return true
      const fitting = values.filter((value) => fit(value, profile)).length
      if (ending.has(field)) return fitting > 0 || profile.recognizedBy.length > 0
      return fitting * 2 >= values.length
    }
    const wanted = profile.columns[field] ?? []
    const exact = wanted.map((name) => written.indexOf(name.toLowerCase()))
    const alike = wanted.map((name) => similar.indexOf(plain(name)))
    return [...exact, ...alike].find((index) => index >= 0 && isCandidate(index)) ?? -1
  }
  return Object.fromEntries(saleFields.map((field) => [field, findColumn(field)])) as SaleColumns
}
