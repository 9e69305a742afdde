import type { Locale } from '@saleproof/schema/constants'
import { createFormat } from '../src/i18n/format.ts'
import { preferredLanguage } from '../src/i18n/languages.ts'
import { en } from '../src/messages/en.ts'
import { pt } from '../src/messages/pt.ts'

export const texts = { en, pt } satisfies Record<Locale, unknown>

/** The locale of a browser that prefers the language. */
export const localeOf = { en: 'en-US', pt: 'pt-BR' } as const satisfies Record<Locale, string>

/** The messages and formats that the console uses in a browser of this locale. */
export function languageFor(locale: string) {
  const language = preferredLanguage(null, [locale])
  const t = texts[language]
  return { language, t, format: createFormat(localeOf[language], t) }
}
