import type { ConsoleKey } from '@saleproof/schema/console'
import { useLanguage } from '../../i18n/language.tsx'

/** Describes what last used a key: the operation and the client; empty if unknown. */
export function useLastUse() {
  const { t } = useLanguage()
  return ({ last_used_by: by }: ConsoleKey) =>
    by ? t.keys.lastUse(t.keys.operations[by.operation], by.client) : ''
}

/** The last use of a key as a sentence. */
export function useLastUseText() {
  const { t, format } = useLanguage()
  const lastUse = useLastUse()
  return (key: ConsoleKey) =>
    key.last_used_at
      ? t.keys.lastUsed(format.ago(key.last_used_at), lastUse(key) || t.keys.kinds[key.kind])
      : t.keys.noUse
}
