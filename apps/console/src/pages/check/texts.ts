import { useLanguage } from '../../i18n/language.tsx'
import { byLanguage } from '../../i18n/languages.ts'
import { type CheckMessages, check as en } from '../../messages/en/check.ts'

// Loaded with the page: nothing else has the explanations of all reasons.
const texts = byLanguage(
  import.meta.glob<CheckMessages>('../../messages/*/check.ts', { eager: true, import: 'check' }),
)

export const checkTexts = (language: string): CheckMessages => texts.get(language) ?? en

export const useCheckTexts = (): CheckMessages => checkTexts(useLanguage().language)
