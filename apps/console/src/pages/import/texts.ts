import { useLanguage } from '../../i18n/language.tsx'
import { byLanguage } from '../../i18n/languages.ts'
import { salesFile as en, type SalesFileMessages } from '../../messages/en/sales-file.ts'

const texts = byLanguage(
  import.meta.glob<SalesFileMessages>('../../messages/*/sales-file.ts', { eager: true, import: 'salesFile' }),
)

export function useSalesFileTexts(): SalesFileMessages {
  const { language } = useLanguage()
  return texts.get(language) ?? en
}
