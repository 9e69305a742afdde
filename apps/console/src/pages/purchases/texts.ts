import { useLanguage } from '../../i18n/language.tsx'
import { byLanguage } from '../../i18n/languages.ts'
import { purchase as en, type PurchaseMessages } from '../../messages/en/purchase.ts'

const texts = byLanguage(
  import.meta.glob<PurchaseMessages>('../../messages/*/purchase.ts', { eager: true, import: 'purchase' }),
)

export const usePurchaseTexts = (): PurchaseMessages => texts.get(useLanguage().language) ?? en
