import type { ConsoleKey, KeyState } from '@saleproof/schema/console'
import { keyLabel } from '../../app/key-label.ts'
import { useLanguage } from '../../i18n/language.tsx'
import { Badge, type Tone } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Eye } from '../../ui/icons.ts'
import { Cell, Row, RowHeader, Table } from '../../ui/table.tsx'
import { RelativeTime, ShortDate } from '../../ui/time.tsx'
import styles from './api-access.module.css'
import { useLastUse } from './last-use.ts'

const tones: Record<KeyState, Tone> = { live: 'success', expired: 'warning', revoked: 'error' }

interface KeyTableProps {
  keys: readonly ConsoleKey[]
  /** Without these two the table has no column of actions. */
  onReveal?: (key: ConsoleKey) => void
  onRevoke?: (key: ConsoleKey) => void
}

function KeyRow({ apiKey, onReveal, onRevoke }: { apiKey: ConsoleKey } & Omit<KeyTableProps, 'keys'>) {
  const { t } = useLanguage()
  const lastUse = useLastUse()
  const { columns } = t.keys
  const { name, last_four, kind, state, items, created_at, expires_at, last_used_at } = apiKey
  const label = keyLabel(apiKey)
  const scope = items.length > 0 ? t.keys.forItems(items.length) : t.keys.forAllItems
  return (
    <Row>
      <RowHeader>
        <span className={styles.name}>
          {name}
          <small>
            {last_four !== null && <code>…{last_four}</code>}
            {[t.keys.kinds[kind], kind === 'publishable' && scope].filter(Boolean).join(' · ')}
          </small>
        </span>
      </RowHeader>
      <Cell label={columns.state}>
        <Badge tone={tones[state]}>{t.keys.states[state]}</Badge>
      </Cell>
      <Cell label={columns.lastUsed}>
        {last_used_at ? (
          <span className={styles.lastUse}>
            <RelativeTime at={last_used_at} />
            <small>{lastUse(apiKey)}</small>
          </span>
        ) : (
          <span>{t.keys.neverUsed}</span>
        )}
      </Cell>
      <Cell label={columns.created}>
        <ShortDate at={created_at} />
      </Cell>
      <Cell label={columns.expires}>{expires_at ? <ShortDate at={expires_at} /> : t.keys.neverExpires}</Cell>
      {onReveal && onRevoke && (
        <Cell>
          <span className={styles.actions}>
            <Button small aria-label={t.keys.showNamed(label)} onClick={() => onReveal(apiKey)}>
              <Eye size={16} aria-hidden />
              {t.keys.show}
            </Button>
            <Button small aria-label={t.keys.revokeNamed(label)} onClick={() => onRevoke(apiKey)}>
              {t.keys.revokeAction}
            </Button>
          </span>
        </Cell>
      )}
    </Row>
  )
}

export function KeyTable({ keys, ...actions }: KeyTableProps) {
  const { t } = useLanguage()
  const { columns } = t.keys
  const names = [columns.name, columns.state, columns.lastUsed, columns.created, columns.expires]
  if (actions.onReveal) names.push(columns.actions)
  return (
    <Table cards caption={t.keys.caption} columns={names.map((name) => ({ name }))}>
      {keys.map((key) => (
        <KeyRow key={key.id} apiKey={key} {...actions} />
      ))}
    </Table>
  )
}
