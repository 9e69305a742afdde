import { useLanguage } from '../../i18n/language.tsx'
import { type CheckMessages, check as en } from '../../messages/en/check.ts'

// Loaded with the page: nothing else has the explanations of all reasons.
const folders = import.meta.glob<CheckMessages>('../../messages/*/check.ts', { eager: true, import: 'check' })
const texts = new Map(Object.entries(folders).map(([path, messages]) => [path.split('/').at(-2), messages]))

export const checkTexts = (language: string): CheckMessages => texts.get(language) ?? en

export const useCheckTexts = (): CheckMessages => checkTexts(useLanguage().language)
