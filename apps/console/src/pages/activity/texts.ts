import { createTexts } from '../../i18n/language.tsx'
import type { ActivityMessages } from '../../messages/en/activity.ts'

export const useActivityTexts = createTexts(
  import.meta.glob<ActivityMessages>('../../messages/*/activity.ts', { eager: true, import: 'activity' }),
)
