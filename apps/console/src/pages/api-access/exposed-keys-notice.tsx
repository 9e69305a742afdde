import type { ExposedKey } from '@saleproof/schema/console'
import type { ReactNode } from 'react'
import { keyLabel } from '../../app/key-label.ts'
import { useLanguage } from '../../i18n/language.tsx'
import { Notice } from '../../ui/notice.tsx'

interface ExposedKeysNoticeProps {
  keys: readonly ExposedKey[]
  /** What leads to a publishable key. */
  action: ReactNode
}

/** Names the secret keys that seem to be in programs of buyers, and says what to do. */
export default function ExposedKeysNotice({ keys, action }: ExposedKeysNoticeProps) {
  const { t, format } = useLanguage()
  const texts = t.keys.exposed
  return (
    <Notice tone="warning">
      {keys.map((key) => (
        <p key={key.id}>
          <strong>{texts.from(keyLabel(key), format.number(key.address_count))}</strong>
        </p>
      ))}
      <p>{texts.text}</p>
      <div style={{ marginBlockStart: '0.375rem' }}>{action}</div>
    </Notice>
  )
}
