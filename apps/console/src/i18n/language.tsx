import type { Locale } from '@saleproof/schema/constants'
import { createContext, type ReactNode, startTransition, use, useEffect, useMemo, useState } from 'react'
import { preferences } from '../app/local-storage.ts'
import type { Messages } from '../messages/en.ts'
import { createFormat, type Format } from './format.ts'
import { formatTag, loadMessages } from './languages.ts'

interface LoadedLanguage {
  language: Locale
  messages: Messages
}

interface Language {
  language: Locale
  /** The messages. */
  t: Messages
  format: Format
  setLanguage: (language: Locale) => Promise<void>
}

const LanguageContext = createContext<Language | null>(null)

export function LanguageProvider({ initial, children }: { initial: LoadedLanguage; children: ReactNode }) {
  const [{ language, messages }, setLoaded] = useState(initial)
  useEffect(() => {
    document.documentElement.lang = language
  }, [language])
  const value = useMemo(
    () => ({
      language,
      t: messages,
      format: createFormat(formatTag(language, navigator.languages), messages),
      setLanguage: async (next: Locale) => {
        const loaded = { language: next, messages: await loadMessages(next) }
        preferences.set('language', next)
        startTransition(() => setLoaded(loaded))
      },
    }),
    [language, messages],
  )
  return <LanguageContext value={value}>{children}</LanguageContext>
}

export function useLanguage(): Language {
  const language = use(LanguageContext)
  if (!language) throw new Error('LanguageProvider is missing')
  return language
}
