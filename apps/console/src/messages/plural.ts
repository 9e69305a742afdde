import type { Locale } from '@saleproof/schema/constants'

/** `Intl`'s rules for `pt` give `0 compra`; most people write `0 compras`, as `pt-PT` has it. */
const rules = { en: 'en', pt: 'pt-PT' } as const satisfies Record<Locale, string>

/** A number with its noun: `plural('en', 1, { one: 'item', other: 'items' })` is `1 item`. */
export function plural(language: Locale, count: number, forms: { one: string; other: string }): string {
  const noun = new Intl.PluralRules(rules[language]).select(count) === 'one' ? forms.one : forms.other
  return `${new Intl.NumberFormat(language).format(count)} ${noun}`
}
