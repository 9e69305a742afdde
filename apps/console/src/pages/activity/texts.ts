import { useLanguage } from '../../i18n/language.tsx'
import { type ActivityMessages, activity as en } from '../../messages/en/activity.ts'

const folders = import.meta.glob<ActivityMessages>('../../messages/*/activity.ts', {
  eager: true,
  import: 'activity',
})
const texts = new Map(Object.entries(folders).map(([path, messages]) => [path.split('/').at(-2), messages]))

export function useActivityTexts(): ActivityMessages {
  const { language } = useLanguage()
  return texts.get(language) ?? en
}
