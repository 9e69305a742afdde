import type { Locale } from '@saleproof/schema'
import type { Messages } from '../messages/en.ts'

export const languages = ['en', 'pt'] as const satisfies readonly Locale[]

/** Each language by its own name: whoever reads another one still finds it. */
export const languageNames: Record<Locale, string> = { en: 'English', pt: 'Português' }

const files: Record<Locale, () => Promise<Messages>> = {
  en: async () => (await import('../messages/en.ts')).en,
  pt: async () => (await import('../messages/pt.ts')).pt,
}

export const loadMessages = (language: Locale): Promise<Messages> => files[language]()

const isLanguage = (tag: string | null | undefined): tag is Locale => languages.includes(tag as Locale)
const primary = (tag: string) => tag.toLowerCase().split('-')[0]

/** What was chosen here before, else the first language of the browser that there is. */
export function preferredLanguage(chosen: string | null, browser: readonly string[]): Locale {
  if (isLanguage(chosen)) return chosen
  return browser.map(primary).find(isLanguage) ?? 'en'
}

/** Chromium tells what the system's environment says, which may be none: `en-US@posix`. */
export function isTag(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length > 0
  } catch {
    return false
  }
}

/** How dates and numbers are written: as the browser has it for this language, since `en-GB` and `en-US` differ in that. */
export function formatTag(language: Locale, browser: readonly string[]): string {
  return browser.find((tag) => primary(tag) === language && isTag(tag)) ?? { en: 'en', pt: 'pt-BR' }[language]
}
