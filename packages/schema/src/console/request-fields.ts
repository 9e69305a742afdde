import * as v from 'valibot'
import { PurchaseCodeParameterSchema } from '../parameters.ts'
import { LinkSchema, TextSchema } from '../primitives.ts'
import { parseTimestamp } from '../timestamps.ts'

/** An e-mail address, or `""`: an erased owner has none. */
export const EmailSchema = v.pipe(TextSchema, v.regex(/^(?:[^\s@]+@[^\s@]+)?$/, 'email'))

/** The name of a workspace in addresses: 1 to 64 lowercase letters, digits and dashes. */
export const SlugSchema = v.pipe(v.string('text'), v.regex(/^[a-z0-9-]{1,64}$/, 'slug'))

/** A new password: 8 to 1024 characters. */
export const PasswordSchema = v.pipe(
  TextSchema,
  v.check((value) => [...value].length >= 8 && value.length <= 1024, 'password'),
)

// JSON objects put whole numbers first, whatever order they were written in; Valibot drops the other three.
const impossibleName = /^(?:\d+|__proto__|constructor|prototype)$/

const isMap = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value)

const possibleNames = (value: Record<string, string>) =>
  !Object.keys(value).some((name) => impossibleName.test(name))

/** Links by the name of a network, in the given order. */
export const SocialLinksSchema = v.pipe(
  v.custom<Record<string, string>>(isMap, 'map'),
  v.check(possibleNames, 'network'),
  v.record(TextSchema, LinkSchema, 'map'),
)

/** An ISO 8601 date and time with any UTC offset. */
export const DateTimeSchema = v.pipe(
  v.string('timestamp'),
  v.check((value) => parseTimestamp(value) !== undefined, 'timestamp'),
)

/** Whether a text names a time zone, such as `America/Sao_Paulo`. */
export function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }) !== undefined
  } catch {
    return false
  }
}

/** Chosen at random for a form: when it is sent again, because its response was lost, nothing is made twice. */
export const RequestIdSchema = v.pipe(v.string('text'), v.regex(/^[\w-]{16,64}$/, 'text'))

/** A name: trimmed, 1 to 100 characters. */
export const NameSchema = v.pipe(TextSchema, v.trim(), v.nonEmpty('not_empty'), v.maxLength(100, 'too_long'))

/** A purchase code as pasted into a search, in its one form. */
export const PurchaseCodeQuerySchema = PurchaseCodeParameterSchema

/** A password to check, as typed. */
export const PasswordInputSchema = v.pipe(v.string('text'), v.maxLength(1024, 'too_long'))

/** The start of the next page: the `next_cursor` of the previous page, unchanged. */
export const CursorSchema = v.pipe(v.string('cursor'), v.regex(/^[\w-]{1,2048}$/, 'cursor'))

/** A number of rows on a page, as text in a query: 1 to 100. */
export const LimitTextSchema = v.pipe(
  v.string('limit'),
  v.regex(/^(?:[1-9]\d?|100)$/, 'limit'),
  v.transform(Number),
)

/** A count that stops at a limit, so that counting stays cheap. */
export interface CappedCount {
  count: number
  /** Whether there are more than `count`. */
  more: boolean
}
