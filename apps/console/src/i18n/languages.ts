import type { Messages } from '../messages/en/index.ts'

/** What the folder of a language exports. */
export interface Translation {
  messages: Messages
  formatTag: string
}

/** Files of the same name in the folders of the languages, by language. */
export function byLanguage<Value>(files: Readonly<Record<string, Value>>): ReadonlyMap<string, Value> {
  return new Map(Object.entries(files).map(([path, value]) => [path.split('/').at(-2) ?? '', value]))
}

// Each folder is a language, by its tag: a new one is found without being listed.
const loaders = byLanguage(import.meta.glob<Translation>('../messages/*/index.ts'))

/** The languages of the console, in the order of their tags. */
export const languages: readonly string[] = [...loaders.keys()]

/** The name of a language in that language, so that its speakers find it. */
export function languageName(language: string): string {
  const name = new Intl.DisplayNames([language], { type: 'language' }).of(language) ?? language
  return name.charAt(0).toLocaleUpperCase(language) + name.slice(1)
}

export async function loadTranslation(language: string): Promise<Translation> {
  const load = loaders.get(language)
  if (!load) throw new Error(`no messages in ${language}`)
  return load()
}

const toLanguage = (tag: string | null) => languages.find((language) => language === tag)
const primarySubtag = (tag: string) => tag.toLowerCase().split('-')[0] ?? ''

/** The saved language, else the first supported one of the browser. */
export function preferredLanguage(saved: string | null, browser: readonly string[]): string {
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
export const findRegion = (language: string, browser: readonly string[]): string | undefined =>
  browser.find((tag) => primarySubtag(tag) === language && isLanguageTag(tag))

/** Some browsers report a time zone that `Intl` rejects; UTC days are better than none. */
export function timezone(): string {
  try {
    return Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC'
  } catch {
    return 'UTC'
  }
}
