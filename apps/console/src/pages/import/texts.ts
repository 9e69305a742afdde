import { createTexts, useLanguage } from '../../i18n/language.tsx'
import type { ImportMessages } from '../../messages/en/imports.ts'

const useTexts = createTexts(
  import.meta.glob<ImportMessages>('../../messages/*/imports.ts', { eager: true, import: 'imports' }),
)

export function useImportTexts() {
  const texts = useTexts()
  const { fields, states } = useLanguage().t.purchases
  return { ...texts, states, fields: { ...fields, ...texts.fields } }
}

export type ImportTexts = ReturnType<typeof useImportTexts>
