import type { Locale } from '@saleproof/schema'

/** Says a number with its noun: `counted('en', 1, { one: 'item', other: 'items' })` is `1 item`. */
export function counted(language: Locale, count: number, forms: { one: string; other: string }): string {
  const form = new Intl.PluralRules(language).select(count) === 'one' ? forms.one : forms.other
  return `${new Intl.NumberFormat(language).format(count)} ${form}`
}
