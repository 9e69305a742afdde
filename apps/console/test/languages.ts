import type { Locale } from '@saleproof/schema'
import { createFormat } from '../src/i18n/format.ts'
import { preferredLanguage } from '../src/i18n/languages.ts'
import { en } from '../src/messages/en.ts'
import { pt } from '../src/messages/pt.ts'

export const languages = ['en', 'pt'] as const satisfies readonly Locale[]

export const texts = { en, pt } satisfies Record<Locale, unknown>

/** Of the browser of somebody who speaks it. */
export const localeOf = { en: 'en-US', pt: 'pt-BR' } as const satisfies Record<Locale, string>

/** What the pages say, and how they write numbers, in a browser of this locale. */
export function spokenIn(locale: string) {
  const language = preferredLanguage(null, [locale])
  const t = texts[language]
  return { language, t, format: createFormat(localeOf[language], t) }
}
