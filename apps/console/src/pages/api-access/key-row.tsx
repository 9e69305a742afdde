import type { ConsoleKey, KeyState } from '@saleproof/schema/console'
import { useLanguage } from '../../i18n/language.tsx'
import { Badge, type Tone } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Eye } from '../../ui/icons.ts'
import { Cell, HeadCell, Row } from '../../ui/table.tsx'
import { RelativeTime, ShortDate } from '../../ui/time.tsx'
import styles from './api-access.module.css'

const tones: Record<KeyState, Tone> = { live: 'good', expired: 'warn', revoked: 'bad' }

/** What used a key last, and how. */
export function useLastUse() {
  const { t } = useLanguage()
  return ({ last_used_by: by }: ConsoleKey) =>
    by ? t.keys.usedFor(t.keys.operations[by.operation], by.client) : ''
}

function LastUse({ row }: { row: ConsoleKey }) {
  const { t } = useLanguage()
  const lastUse = useLastUse()
  if (!row.last_used_at) return <span>{t.keys.neverUsed}</span>
  return (
    <span className={styles.used}>
      <RelativeTime at={row.last_used_at} />
      <small>{lastUse(row)}</small>
    </span>
  )
}

function KeyName({ row: { name, kind, items } }: { row: ConsoleKey }) {
  const { t } = useLanguage()
  const bound = items.length ? t.keys.boundTo(items.length) : t.keys.unbound
  return (
    <span className={styles.name}>
      {name}
      <small>{kind === 'publishable' ? `${t.keys.kinds[kind]} · ${bound}` : t.keys.kinds[kind]}</small>
    </span>
  )
}

interface KeyRowProps {
  row: ConsoleKey
  onShow: (key: ConsoleKey) => void
  onRevoke: (key: ConsoleKey) => void
}

export function KeyRow({ row, onShow, onRevoke }: KeyRowProps) {
  const { t } = useLanguage()
  const { columns } = t.keys
  const live = row.state === 'live'
  return (
    <Row>
      <HeadCell>
        <KeyName row={row} />
      </HeadCell>
      <Cell label={columns.state}>
        <Badge tone={tones[row.state]}>{t.keys.states[row.state]}</Badge>
      </Cell>
      <Cell label={columns.lastUsed}>
        <LastUse row={row} />
      </Cell>
      <Cell label={columns.created}>
        <ShortDate at={row.created_at} />
      </Cell>
      <Cell label={columns.expires}>
        {row.expires_at ? <ShortDate at={row.expires_at} /> : t.keys.neverExpires}
      </Cell>
      {live && (
        <Cell>
          <span className={styles.actions}>
            <Button small aria-label={t.keys.showNamed(row.name)} onClick={() => onShow(row)}>
              <Eye size={16} aria-hidden />
              {t.keys.show}
            </Button>
            <Button small aria-label={t.keys.revokeNamed(row.name)} onClick={() => onRevoke(row)}>
              {t.keys.revoke}
            </Button>
          </span>
        </Cell>
      )}
    </Row>
  )
}
