import type { Locale } from '@saleproof/schema/constants'
import { createFormat } from '../src/i18n/format.ts'
import { preferredLanguage, serviceLanguage } from '../src/i18n/languages.ts'
import { messages as en } from '../src/messages/en/index.ts'
import { messages as pt } from '../src/messages/pt/index.ts'

export const texts = { en, pt } satisfies Record<Locale, unknown>

/** The locale of a browser that prefers the language. */
export const localeOf = { en: 'en-US', pt: 'pt-BR' } as const satisfies Record<Locale, string>

/** The messages and formats that the console uses in a browser of this locale. */
export function languageFor(locale: string) {
  const language = serviceLanguage(preferredLanguage(null, [locale]))
  const t = texts[language]
  return { language, t, format: createFormat(localeOf[language], t) }
}
