import { createTexts } from '../../i18n/language.tsx'
import type { CheckMessages } from '../../messages/en/check.ts'

// Loaded with the page: nothing else has the explanations of all reasons.
export const useCheckTexts = createTexts(
  import.meta.glob<CheckMessages>('../../messages/*/check.ts', { eager: true, import: 'check' }),
)
