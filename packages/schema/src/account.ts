import * as v from 'valibot'
import {
  AmountSchema,
  CurrencySchema,
  LinkSchema,
  OptionalLinkSchema,
  TextSchema,
  TimestampSchema,
} from './primitives.ts'

/** The seller who owns the workspace of a key. Its form is the same in both shapes. */
export interface Account {
  name: { firstname: string; lastname: string; full_name: string }
  username: string
  email: string
  /** In whole units of `currency`, exact to its minor unit; may be negative. */
  balance: number
  /** ISO 4217. */
  currency: string
  profile: {
    heading: string
    description: string
    contact: { email: string }
    /** Links by the name of a network; the set of names is open. */
    social_links: Record<string, string>
    /** Absolute http(s) URLs, or `""`. */
    media: { avatar: string; cover: string }
  }
  /** `YYYY-MM-DDTHH:mm:ssZ`, UTC. */
  registered_at: string
}

/**
 * The `data` of the account operation. Added members are taken and left out of the result.
 *
 * @example
 * v.parse(AccountSchema, answer.data).username
 */
export const AccountSchema = v.object({
  name: v.object({ firstname: TextSchema, lastname: TextSchema, full_name: TextSchema }),
  username: TextSchema,
  email: TextSchema,
  balance: AmountSchema,
  currency: CurrencySchema,
  profile: v.object({
    heading: TextSchema,
    description: TextSchema,
    contact: v.object({ email: TextSchema }),
    social_links: v.record(v.string(), LinkSchema),
    media: v.object({ avatar: OptionalLinkSchema, cover: OptionalLinkSchema }),
  }),
  registered_at: TimestampSchema,
})
