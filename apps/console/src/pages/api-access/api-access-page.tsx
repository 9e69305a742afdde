import type { ConsoleKey } from '@saleproof/schema/console'
import { type KeyKind, manyAddresses } from '@saleproof/schema/console/constants'
import { useState } from 'react'
import { useWorkspaceQuery } from '../../api/queries.ts'
import { keyLabel } from '../../app/key-label.ts'
import { useLanguage } from '../../i18n/language.tsx'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { KeyRound, Plus } from '../../ui/icons.ts'
import { lazyWithPreload } from '../../ui/lazy-with-preload.tsx'
import { Skeleton } from '../../ui/loading.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Card, Page } from '../../ui/page.tsx'
import styles from './api-access.module.css'
import { type KeyAction, KeyTable } from './key-table.tsx'
import { SnippetsCard } from './snippets-card.tsx'

const ExposedKeysNotice = lazyWithPreload(() => import('./exposed-keys-notice.tsx'))
// Viewing the list loads no dialogs.
const NewKeyDialog = lazyWithPreload(() => import('./new-key-dialog.tsx'))
const RevokeKeyDialog = lazyWithPreload(() => import('./revoke-key-dialog.tsx'))
const RotateKeyDialog = lazyWithPreload(() => import('./rotate-key-dialog.tsx'))
const RevealKeyDialog = lazyWithPreload(() => import('./reveal-key-dialog.tsx'))

type OpenDialog = { name: 'new'; kind?: KeyKind } | { name: KeyAction; apiKey: ConsoleKey }

/** What was done with a key, for the notice above the list. */
type Done = { name: 'revoke' | 'rotate'; apiKey: ConsoleKey }

function NewKeyButton({ onClick }: { onClick: () => void }) {
  const { t } = useLanguage()
  return (
    <Button variant="primary" onClick={onClick}>
      <Plus size={18} aria-hidden />
      {t.keys.newKey}
    </Button>
  )
}

function InactiveKeys({ keys }: { keys: readonly ConsoleKey[] }) {
  const { t } = useLanguage()
  if (keys.length === 0) return null
  return (
    <details className={styles.details}>
      <summary>{t.keys.inactive(keys.length)}</summary>
      <KeyTable keys={keys} />
    </details>
  )
}

function RotationGuide() {
  const { t } = useLanguage()
  return (
    <details className={styles.details}>
      <summary>{t.keys.rotation.title}</summary>
      <ol>
        {t.keys.rotation.steps.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
    </details>
  )
}

function Keys({ onOpen }: { onOpen: (dialog: OpenDialog) => void }) {
  const { t } = useLanguage()
  // `last_used_at` is written every few minutes.
  const { data, error, refetch } = useWorkspaceQuery('listKeys', {}, { refetchInterval: 60_000 })
  if (error && !data) return <ErrorState error={error} onRetry={refetch} />
  if (!data) return <Skeleton height="12rem" />
  const active = data.keys.filter(({ state }) => state === 'live')
  const inactive = data.keys.filter(({ state }) => state !== 'live')
  const exposed = active.filter(({ address_count: count }) => count >= manyAddresses)
  return (
    <>
      {exposed.length > 0 && (
        <ExposedKeysNotice
          keys={exposed}
          action={
            <Button small onClick={() => onOpen({ name: 'new', kind: 'publishable' })}>
              {t.keys.exposed.action}
            </Button>
          }
        />
      )}
      {active.length > 0 ? (
        <>
          <KeyTable keys={active} onAction={(name, apiKey) => onOpen({ name, apiKey })} />
          <RotationGuide />
        </>
      ) : (
        <Card>
          <EmptyState
            icon={KeyRound}
            title={t.keys.empty}
            actions={<NewKeyButton onClick={() => onOpen({ name: 'new' })} />}
          >
            {t.keys.emptyText}
          </EmptyState>
        </Card>
      )}
      <InactiveKeys keys={inactive} />
    </>
  )
}

export default function ApiAccessPage() {
  const { t } = useLanguage()
  const [dialog, setDialog] = useState<OpenDialog>()
  const [done, setDone] = useState<Done>()
  const close = () => setDialog(undefined)
  const open = (next: OpenDialog) => {
    setDone(undefined)
    setDialog(next)
  }
  const finish = (next: Done) => {
    setDone(next)
    close()
  }
  return (
    <Page
      title={t.keys.title}
      lead={t.keys.lead}
      actions={<NewKeyButton onClick={() => open({ name: 'new' })} />}
    >
      {done && (
        <Notice tone="success" live takesFocus>
          {t.keys[done.name].done(keyLabel(done.apiKey))}
        </Notice>
      )}
      <Keys onOpen={open} />
      <SnippetsCard />
      {dialog?.name === 'new' && <NewKeyDialog kind={dialog.kind} onClose={close} />}
      {dialog?.name === 'rotate' && (
        <RotateKeyDialog
          apiKey={dialog.apiKey}
          onClose={close}
          onRotated={(apiKey) => finish({ name: 'rotate', apiKey })}
        />
      )}
      {dialog?.name === 'reveal' && <RevealKeyDialog apiKey={dialog.apiKey} onClose={close} />}
      {dialog?.name === 'revoke' && (
        <RevokeKeyDialog
          apiKey={dialog.apiKey}
          onClose={close}
          onRevoked={(apiKey) => finish({ name: 'revoke', apiKey })}
        />
      )}
    </Page>
  )
}
