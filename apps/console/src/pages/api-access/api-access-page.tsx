import type { ConsoleKey } from '@saleproof/schema/console'
import { type KeyKind, manyAddresses } from '@saleproof/schema/console/constants'
import { useState } from 'react'
import { useWorkspaceQuery } from '../../api/queries.ts'
import { storedKey } from '../../api/stored-drafts.ts'
import { useKept } from '../../app/kept.ts'
import { useWorkspace } from '../../app/workspace.ts'
import { useLanguage } from '../../i18n/language.tsx'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { KeyRound, Plus } from '../../ui/icons.ts'
import { lazyWithPreload } from '../../ui/lazy-with-preload.tsx'
import { Skeleton } from '../../ui/loading.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { type KeyAction, KeyTable } from './key-table.tsx'
import { SnippetsCard } from './snippets-card.tsx'

const ExposedKeysNotice = lazyWithPreload(() => import('./exposed-keys-notice.tsx'))
// Viewing the list loads no dialogs.
const NewKeyDialog = lazyWithPreload(() => import('./new-key-dialog.tsx'))
const keyDialogs = {
  reveal: lazyWithPreload(() => import('./reveal-key-dialog.tsx')),
  rotate: lazyWithPreload(() => import('./rotate-key-dialog.tsx')),
  revoke: lazyWithPreload(() => import('./revoke-key-dialog.tsx')),
}

type OpenDialog = { kind?: KeyKind } | { action: KeyAction; apiKey: ConsoleKey }

function NewKeyButton({ onClick }: { onClick: () => void }) {
  const { t } = useLanguage()
  return (
    <Button variant="primary" onClick={onClick}>
      <Plus size={18} aria-hidden />
      {t.keys.newKey}
    </Button>
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
            <Button small onClick={() => onOpen({ kind: 'publishable' })}>
              {t.keys.exposed.action}
            </Button>
          }
        />
      )}
      {active.length > 0 ? (
        <KeyTable keys={active} onAction={(action, apiKey) => onOpen({ action, apiKey })} />
      ) : (
        <EmptyState
          scope="card"
          icon={KeyRound}
          title={t.keys.empty}
          actions={<NewKeyButton onClick={() => onOpen({})} />}
        >
          {t.keys.emptyText}
        </EmptyState>
      )}
      {inactive.length > 0 && (
        <details>
          <summary>{t.keys.inactive(inactive.length)}</summary>
          <KeyTable keys={inactive} />
        </details>
      )}
    </>
  )
}

export default function ApiAccessPage() {
  const { t } = useLanguage()
  const isDrafted = useKept([storedKey, 'key', useWorkspace().slug], undefined).value !== undefined
  const [dialog, setDialog] = useState<OpenDialog | undefined>(isDrafted ? {} : undefined)
  /** The sentence above the list that says what was done. */
  const [done, setDone] = useState<string>()
  const close = () => setDialog(undefined)
  const open = (next: OpenDialog) => {
    setDone(undefined)
    setDialog(next)
  }
  const finish = (text: string) => {
    setDone(text)
    close()
  }
  const KeyDialog = dialog && 'action' in dialog && keyDialogs[dialog.action]
  return (
    <Page title={t.nav.apiAccess} lead={t.keys.lead} actions={<NewKeyButton onClick={() => open({})} />}>
      {done && <Notice tone="success">{done}</Notice>}
      <Keys onOpen={open} />
      <SnippetsCard />
      {KeyDialog && 'action' in dialog && (
        <KeyDialog apiKey={dialog.apiKey} onClose={close} onDone={finish} />
      )}
      {dialog && !('action' in dialog) && <NewKeyDialog kind={dialog.kind} onClose={close} />}
    </Page>
  )
}
