import { useLanguage } from '../../i18n/language.tsx'
import { byLanguage } from '../../i18n/languages.ts'
import { type ActivityMessages, activity as en } from '../../messages/en/activity.ts'

const texts = byLanguage(
  import.meta.glob<ActivityMessages>('../../messages/*/activity.ts', { eager: true, import: 'activity' }),
)

export function useActivityTexts(): ActivityMessages {
  const { language } = useLanguage()
  return texts.get(language) ?? en
}
