import type { ConsoleKey, KeyState } from '@saleproof/schema/console'
import { keyLabel } from '../../app/key-label.ts'
import { useLanguage } from '../../i18n/language.tsx'
import { Badge, type Tone } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Eye } from '../../ui/icons.ts'
import { type Column, Table } from '../../ui/table.tsx'
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

interface KeyRow {
  apiKey: ConsoleKey
  /** Whether the row above is of the key that replaces this one. */
  replaced: boolean
}

interface ActionsProps extends KeyRow {
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

function KeyName({ apiKey: { name, last_four: lastFour, kind, items } }: Pick<KeyRow, 'apiKey'>) {
  const { t } = useLanguage()
  const scope = items.length > 0 ? t.keys.forItems(items.length) : t.keys.forAllItems
  return (
    <span className={styles.name}>
      {name}
      <small>
        {lastFour !== null && <code>…{lastFour}</code>}
        {[t.keys.kinds[kind], kind === 'publishable' && scope].filter(Boolean).join(' · ')}
      </small>
    </span>
  )
}

function State({ apiKey: { state }, replaced }: KeyRow) {
  const { t } = useLanguage()
  return replaced && state === 'live' ? (
    <Badge tone="warning">{t.keys.ending}</Badge>
  ) : (
    <Badge tone={tones[state]}>{t.keys.states[state]}</Badge>
  )
}

function LastUse({ apiKey }: Pick<KeyRow, 'apiKey'>) {
  const { t } = useLanguage()
  const lastUse = useLastUse()
  if (!apiKey.last_used_at) return <span>{t.keys.neverUsed}</span>
  return (
    <span className={styles.lastUse}>
      <RelativeTime at={apiKey.last_used_at} />
      <small>{lastUse(apiKey)}</small>
    </span>
  )
}

export function KeyTable({ keys, onAction }: KeyTableProps) {
  const { t } = useLanguage()
  const { columns } = t.keys
  const actions: Column<KeyRow>[] = onAction
    ? [{ name: columns.actions, unlabelled: true, cell: (row) => <Actions {...row} onAction={onAction} /> }]
    : []
  return (
    <Table
      cards
      caption={t.keys.caption}
      rows={inRotations(keys).flatMap((group) =>
        group.map((apiKey, index): KeyRow => ({ apiKey, replaced: index > 0 })),
      )}
      rowKey={({ apiKey }) => apiKey.id}
      columns={[
        { name: columns.name, cell: ({ apiKey }) => <KeyName apiKey={apiKey} /> },
        { name: columns.state, cell: (row) => <State {...row} /> },
        { name: columns.lastUsed, cell: ({ apiKey }) => <LastUse apiKey={apiKey} /> },
        { name: columns.created, cell: ({ apiKey }) => <ShortDate at={apiKey.created_at} /> },
        {
          name: columns.expires,
          cell: ({ apiKey: { expires_at: at } }) => (at ? <ShortDate at={at} /> : t.keys.neverExpires),
        },
        ...actions,
      ]}
    />
  )
}
