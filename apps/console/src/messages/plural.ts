import type { Locale } from '@saleproof/schema'

/** The rules of `pt` say `0 compra`, which is how few write it. */
const rules = { en: 'en', pt: 'pt-PT' } as const satisfies Record<Locale, string>

/** Says a number with its noun: `plural('en', 1, { one: 'item', other: 'items' })` is `1 item`. */
export function plural(language: Locale, count: number, forms: { one: string; other: string }): string {
  const form = new Intl.PluralRules(rules[language]).select(count) === 'one' ? forms.one : forms.other
  return `${new Intl.NumberFormat(language).format(count)} ${form}`
}
