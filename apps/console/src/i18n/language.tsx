import { type Locale, locales } from '@saleproof/schema/constants'
import { createContext, type ReactNode, startTransition, use, useEffect, useMemo, useState } from 'react'
import { preferences } from '../app/local-storage.ts'
import type { Messages } from '../messages/en/index.ts'
import { createFormat, type Format } from './format.ts'
import { byLanguage, findRegion, loadTranslation, type Translation } from './languages.ts'

interface LoadedLanguage {
  language: string
  translation: Translation
}

interface Language {
  language: string
  /** The language of texts that the service writes. */
  locale: Locale
  /** The messages. */
  t: Messages
  format: Format
  setLanguage: (language: string) => Promise<void>
}

const LanguageContext = createContext<Language | null>(null)

/** The language of texts that the service writes, which knows those of the contract only. */
export const serviceLanguage = (language: string): Locale => locales.find((each) => each === language) ?? 'en'

export function LanguageProvider({ initial, children }: { initial: LoadedLanguage; children: ReactNode }) {
  const [{ language, translation }, setLoaded] = useState(initial)
  useEffect(() => {
    document.documentElement.lang = language
  }, [language])
  const value = useMemo(
    () => ({
      language,
      locale: serviceLanguage(language),
      t: translation.messages,
      format: createFormat(
        findRegion(language, navigator.languages) ?? translation.formatTag,
        translation.messages,
      ),
      setLanguage: async (next: string) => {
        const loaded = { language: next, translation: await loadTranslation(next) }
        preferences.set('language', next)
        startTransition(() => setLoaded(loaded))
      },
    }),
    [language, translation],
  )
  return <LanguageContext value={value}>{children}</LanguageContext>
}

export function useLanguage(): Language {
  const language = use(LanguageContext)
  if (!language) throw new Error('LanguageProvider is missing')
  return language
}

/** A hook of the texts that are loaded with a page, in the language of the console or another. What lacks them shows English. */
export function createTexts<Texts>(files: Readonly<Record<string, Texts>>) {
  const texts = byLanguage(files)
  return function useTexts(chosen?: string): Texts {
    const { language } = useLanguage()
    return (texts.get(chosen ?? language) ?? texts.get('en')) as Texts
  }
}
