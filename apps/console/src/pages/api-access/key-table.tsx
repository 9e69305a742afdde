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
import { inRotations } from './rotations.ts'

const tones: Record<KeyState, Tone> = { live: 'success', expired: 'warning', revoked: 'error' }

export type KeyAction = 'reveal' | 'rotate' | 'revoke'

interface KeyTableProps {
  keys: readonly ConsoleKey[]
  /** Without it the table has no column of actions. */
  onAction?: ((action: KeyAction, key: ConsoleKey) => void) | undefined
}

interface KeyRowProps extends Omit<KeyTableProps, 'keys'> {
  apiKey: ConsoleKey
  /** Whether the row above is of the key that replaces this one. */
  replaced: boolean
}

interface ActionsProps extends Pick<KeyRowProps, 'apiKey' | 'replaced'> {
  onAction: (action: KeyAction, key: ConsoleKey) => void
}

function Actions({ apiKey, replaced, onAction }: ActionsProps) {
  const { t } = useLanguage()
  const label = keyLabel(apiKey)
  return (
    <span className={styles.actions}>
      <Button small aria-label={t.keys.showNamed(label)} onClick={() => onAction('reveal', apiKey)}>
        <Eye size={16} aria-hidden />
        {t.keys.show}
      </Button>
      {!replaced && (
        <Button small aria-label={t.keys.rotateNamed(label)} onClick={() => onAction('rotate', apiKey)}>
          {t.keys.rotateAction}
        </Button>
      )}
      <Button small aria-label={t.keys.revokeNamed(label)} onClick={() => onAction('revoke', apiKey)}>
        {t.keys.revokeAction}
      </Button>
    </span>
  )
}

function KeyRow({ apiKey, replaced, onAction }: KeyRowProps) {
  const { t } = useLanguage()
  const lastUse = useLastUse()
  const { columns } = t.keys
  const { name, last_four, kind, state, items, created_at, expires_at, last_used_at } = apiKey
  const scope = items.length > 0 ? t.keys.forItems(items.length) : t.keys.forAllItems
  const ending = replaced && state === 'live'
  return (
    <Row continues={replaced}>
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
        {ending ? (
          <Badge tone="warning">{t.keys.ending}</Badge>
        ) : (
          <Badge tone={tones[state]}>{t.keys.states[state]}</Badge>
        )}
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
      <Cell label={columns.expires}>
        {expires_at === null && t.keys.neverExpires}
        {expires_at !== null && <ShortDate at={expires_at} />}
      </Cell>
      {onAction && (
        <Cell>
          <Actions apiKey={apiKey} replaced={replaced} onAction={onAction} />
        </Cell>
      )}
    </Row>
  )
}

export function KeyTable({ keys, onAction }: KeyTableProps) {
  const { t } = useLanguage()
  const { columns } = t.keys
  const names = [columns.name, columns.state, columns.lastUsed, columns.created, columns.expires]
  if (onAction) names.push(columns.actions)
  return (
    <Table cards caption={t.keys.caption} columns={names.map((name) => ({ name }))}>
      {inRotations(keys).map((group) =>
        group.map((key, index) => (
          <KeyRow key={key.id} apiKey={key} replaced={index > 0} onAction={onAction} />
        )),
      )}
    </Table>
  )
}
