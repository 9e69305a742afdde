/** The forms of a noun by the plural rules of its language; those that it lacks are `other`. */
type PluralForms = Partial<Record<Intl.LDMLPluralRule, string>> & { other: string }

/** `Intl`'s rules for `pt` give `0 compra`; most people write `0 compras`, as `pt-PT` has it. */
const ruleTags: Readonly<Record<string, string>> = { pt: 'pt-PT' }

/** A number with its noun: `plural('en', 1, { one: 'item', other: 'items' })` is `1 item`. */
export function plural(language: string, count: number, forms: PluralForms): string {
  const rule = new Intl.PluralRules(ruleTags[language] ?? language).select(count)
  return `${new Intl.NumberFormat(language).format(count)} ${forms[rule] ?? forms.other}`
}
