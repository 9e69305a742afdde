import { createTexts } from '../../i18n/language.tsx'
import type { PurchaseMessages } from '../../messages/en/purchase.ts'

export const usePurchaseTexts = createTexts(
  import.meta.glob<PurchaseMessages>('../../messages/*/purchase.ts', { eager: true, import: 'purchase' }),
)
