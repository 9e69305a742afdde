import { createTexts } from '../../i18n/language.tsx'
import type { SalesFileMessages } from '../../messages/en/sales-file.ts'

export const useSalesFileTexts = createTexts(
  import.meta.glob<SalesFileMessages>('../../messages/*/sales-file.ts', { eager: true, import: 'salesFile' }),
)
