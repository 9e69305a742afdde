import type { PurchaseState } from '@saleproof/schema/constants'
import { useLanguage } from '../../i18n/language.tsx'
import { Badge, type Tone } from '../../ui/badge.tsx'

const tones: Record<PurchaseState, Tone> = { active: 'success', refunded: 'warning', revoked: 'error' }

export function StateBadge({ state }: { state: PurchaseState }) {
  const { t } = useLanguage()
  return <Badge tone={tones[state]}>{t.purchases.states[state]}</Badge>
}
