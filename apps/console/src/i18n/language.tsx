import type { Locale } from '@saleproof/schema'
import {
  createContext,
  type ReactNode,
  startTransition,
  use,
  useCallback,
  useEffect,
  useMemo,
  useState,
} from 'react'
import { preferences } from '../app/local-storage.ts'
import type { Messages } from '../messages/en.ts'
import { createFormat, type Format } from './format.ts'
import { formatTag, loadMessages } from './languages.ts'

interface Language {
  language: Locale
  /** The texts. */
  t: Messages
  format: Format
  choose: (language: Locale) => Promise<void>
}

const LanguageContext = createContext<Language | null>(null)

interface Spoken {
  language: Locale
  messages: Messages
}

export function LanguageProvider({ initial, children }: { initial: Spoken; children: ReactNode }) {
  const [{ language, messages }, speak] = useState(initial)
  useEffect(() => {
    document.documentElement.lang = language
  }, [language])
  const choose = useCallback(async (next: Locale) => {
    const loaded = await loadMessages(next)
    preferences.set('language', next)
    startTransition(() => speak({ language: next, messages: loaded }))
  }, [])
  const value = useMemo(
    () => ({
      ...{ language, choose, t: messages },
      format: createFormat(formatTag(language, navigator.languages), messages),
    }),
    [language, messages, choose],
  )
  return <LanguageContext value={value}>{children}</LanguageContext>
}

export function useLanguage(): Language {
  const value = use(LanguageContext)
  if (!value) throw new Error('there is no language here')
  return value
}
