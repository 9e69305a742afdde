import { type Locale, locales } from '@saleproof/schema/constants'
import type { Messages } from '../messages/en.ts'

/** Each language by its own name, so that its speakers find it. */
export const languageNames: Record<Locale, string> = { en: 'English', pt: 'Português' }

const loaders: Record<Locale, () => Promise<Messages>> = {
  en: async () => (await import('../messages/en.ts')).en,
  pt: async () => (await import('../messages/pt.ts')).pt,
}

export const loadMessages = (language: Locale): Promise<Messages> => loaders[language]()

const toLanguage = (tag: string | null) => locales.find((language) => language === tag)
const primarySubtag = (tag: string) => tag.toLowerCase().split('-')[0] ?? ''

/** The saved language, else the first supported one of the browser. */
export function preferredLanguage(saved: string | null, browser: readonly string[]): Locale {
  const supported = browser.map((tag) => toLanguage(primarySubtag(tag)))
  return toLanguage(saved) ?? supported.find((language) => language !== undefined) ?? 'en'
}

/** Chromium passes on the locale of the system, which may be invalid: `en-US@posix`. */
export function isLanguageTag(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length > 0
  } catch {
    return false
  }
}

/** The tag for dates and numbers: the browser's region if it speaks the language, since `en-GB` and `en-US` differ. */
export function formatTag(language: Locale, browser: readonly string[]): string {
  const regional = browser.find((tag) => primarySubtag(tag) === language && isLanguageTag(tag))
  return regional ?? { en: 'en', pt: 'pt-BR' }[language]
}
