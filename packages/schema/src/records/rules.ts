import type { FieldValues } from './fields.ts'

/** What strings have to look like. Without flags: JSON Schema, which is made from these, knows none. */
export const patterns = {
  link: /^[Hh][Tt][Tt][Pp][Ss]?:\/\/[^\s/?#]/,
  timestamp: /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/,
  currency: /^[A-Z]{3}$/,
  version: /^\d+\.\d+\.\d+$/,
}

/** Whether every database and every JSON reader takes a string: well-formed Unicode without U+0000. */
export const isStorable = (text: string): boolean => text.isWellFormed() && !text.includes('\0')

type Rule = (value: unknown) => boolean

const isText = (value: unknown): value is string => typeof value === 'string' && isStorable(value)
const isLink = (value: unknown) => isText(value) && patterns.link.test(value) && URL.canParse(value)
// Valibot leaves them out of every record.
const unreadNames = /^(__proto__|prototype|constructor)$/
const isNumber = (value: unknown): value is number => Number.isFinite(value)

const matches =
  (pattern: RegExp): Rule =>
  (value) =>
    typeof value === 'string' && pattern.test(value)

const listOf =
  (rule: Rule): Rule =>
  (value) =>
    Array.isArray(value) && value.every(rule)

/**
 * Whether a response may hold a value, by the type of the field. The same as the schemas, without Valibot, so that the SDK stays
 * small; `rules.test.ts` compares the two.
 */
export const rules: Readonly<Record<keyof FieldValues, Rule>> = {
  text: isText,
  nonempty_text: isText,
  username: isText,
  email: isText,
  purchase_code: isText,
  texts: listOf(isText),
  link: isLink,
  optional_link: (value) => value === '' || isLink(value),
  links: listOf(isLink),
  link_map: (value) =>
    typeof value === 'object' &&
    value !== null &&
    Object.entries(value).every(([name, link]) => unreadNames.test(name) || isLink(link)),
  item_id: (value) => Number.isSafeInteger(value) && Number(value) >= 1,
  version: matches(patterns.version),
  currency: matches(patterns.currency),
  amount: isNumber,
  price: (value) => isNumber(value) && value >= 0,
  timestamp: matches(patterns.timestamp),
  boolean: (value) => typeof value === 'boolean',
}
