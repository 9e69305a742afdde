import type { Locale } from '@saleproof/schema/constants'
import { openApiDocument } from '@saleproof/schema/openapi'
import { readReference } from '../src/docs/reference.ts'
import { docsTexts } from '../src/docs/texts.ts'
import { createFormat } from '../src/i18n/format.ts'
import { serviceLanguage } from '../src/i18n/language.tsx'
import { preferredLanguage } from '../src/i18n/languages.ts'
import { check as enCheck } from '../src/messages/en/check.ts'
import { gettingStarted as enGettingStarted } from '../src/messages/en/getting-started.ts'
import { messages as en } from '../src/messages/en/index.ts'
import { purchase as enPurchase } from '../src/messages/en/purchase.ts'
import { check as ptCheck } from '../src/messages/pt/check.ts'
import { gettingStarted as ptGettingStarted } from '../src/messages/pt/getting-started.ts'
import { messages as pt } from '../src/messages/pt/index.ts'
import { purchase as ptPurchase } from '../src/messages/pt/purchase.ts'

/** With the texts that are loaded with their page. */
export const texts = {
  en: {
    ...en,
    purchases: { ...en.purchases, ...enPurchase },
    check: enCheck,
    gettingStarted: enGettingStarted,
  },
  pt: {
    ...pt,
    purchases: { ...pt.purchases, ...ptPurchase },
    check: ptCheck,
    gettingStarted: ptGettingStarted,
  },
} satisfies Record<Locale, unknown>

/**
 * What a seller does is tested in the language that a text cannot be left in by mistake. `accessibility.test.ts` sees every page in both.
 */
export const tested: readonly Locale[] = ['pt']

/** The locale of a browser that prefers the language. */
export const localeOf = { en: 'en-US', pt: 'pt-BR' } as const satisfies Record<Locale, string>

/** The messages and formats that the console uses in a browser of this locale. */
export function languageFor(locale: string) {
  const language = serviceLanguage(preferredLanguage(null, [locale]))
  const t = texts[language]
  return { language, t, format: createFormat(localeOf[language], t) }
}

const reference = readReference(openApiDocument({ serverUrl: 'https://api.example.com', version: '1.2.3' }))

/** An operation as the API reference shows it in a language. */
export const documented = (language: Locale, id: string) => ({
  ...reference.operations.find((operation) => operation.id === id)!,
  ...Object.entries(docsTexts(language).operations ?? {}).find(([name]) => name === id)?.[1],
})
