import { createTexts, useLanguage } from '../../i18n/language.tsx'
import type { SalesFileMessages } from '../../messages/en/sales-file.ts'

const useTexts = createTexts(
  import.meta.glob<SalesFileMessages>('../../messages/*/sales-file.ts', { eager: true, import: 'salesFile' }),
)

export function useSalesFileTexts() {
  const texts = useTexts()
  const { fields, states } = useLanguage().t.purchases
  return { ...texts, states, fields: { ...fields, ...texts.fields } }
}

export type SalesFileTexts = ReturnType<typeof useSalesFileTexts>
