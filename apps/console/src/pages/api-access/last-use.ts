import type { ConsoleKey } from '@saleproof/schema/console'
import { useLanguage } from '../../i18n/language.tsx'

/** Describes what last used a key: the operation and the client; empty if unknown. */
export function useLastUse() {
  const { t } = useLanguage()
  return ({ last_used_by: by }: ConsoleKey) =>
    by ? t.keys.lastUse(t.keys.operations[by.operation], by.client) : ''
}
