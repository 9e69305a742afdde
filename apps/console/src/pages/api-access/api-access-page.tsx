import type { ConsoleKey } from '@saleproof/schema/console'
import { useState } from 'react'
import { useKeys } from '../../api/keys.ts'
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
import { KeyTable } from './key-table.tsx'
import { Programs } from './snippets-card.tsx'

// Whoever only looks at the keys has no need of dialogs.
const NewKeyDialog = lazyWithPreload(() => import('./new-key-dialog.tsx'))
const RevokeKeyDialog = lazyWithPreload(() => import('./revoke-key-dialog.tsx'))
const RevealKeyDialog = lazyWithPreload(() => import('./reveal-key-dialog.tsx'))

type Doing = { what: 'make' } | { what: 'show' | 'revoke'; row: ConsoleKey }

function PastKeys({ keys }: { keys: readonly ConsoleKey[] }) {
  const { t } = useLanguage()
  if (keys.length === 0) return null
  return (
    <details className={styles.past}>
      <summary>{t.keys.past(keys.length)}</summary>
      <KeyTable keys={keys} />
    </details>
  )
}

function Rotation() {
  const { t } = useLanguage()
  return (
    <details className={styles.rotate}>
      <summary>{t.keys.rotate.title}</summary>
      <ol>
        {t.keys.rotate.steps.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
    </details>
  )
}

function Keys({ onDo }: { onDo: (doing: Doing) => void }) {
  const { t } = useLanguage()
  const { data, error, refetch } = useKeys()
  if (error && !data) return <ErrorState error={error} onRetry={refetch} />
  if (!data) return <Skeleton height="12rem" />
  const live = data.keys.filter(({ state }) => state === 'live')
  return (
    <>
      {live.length > 0 ? (
        <KeyTable
          keys={live}
          onShow={(row) => onDo({ what: 'show', row })}
          onRevoke={(row) => onDo({ what: 'revoke', row })}
        />
      ) : (
        <Card>
          <EmptyState
            icon={KeyRound}
            title={t.keys.empty}
            actions={
              <Button variant="primary" onClick={() => onDo({ what: 'make' })}>
                <Plus size={18} aria-hidden />
                {t.keys.create}
              </Button>
            }
          >
            {t.keys.emptyText}
          </EmptyState>
        </Card>
      )}
      {live.length > 0 && <Rotation />}
      <PastKeys keys={data.keys.filter(({ state }) => state !== 'live')} />
    </>
  )
}

export default function ApiAccessPage() {
  const { t } = useLanguage()
  const [doing, setDoing] = useState<Doing>()
  const [revoked, setRevoked] = useState<string>()
  const done = () => setDoing(undefined)
  const begin = (next: Doing) => {
    setRevoked(undefined)
    setDoing(next)
  }
  return (
    <Page
      title={t.keys.title}
      lead={t.keys.lead}
      actions={
        <Button variant="primary" onClick={() => begin({ what: 'make' })}>
          <Plus size={18} aria-hidden />
          {t.keys.create}
        </Button>
      }
    >
      {revoked !== undefined && (
        <Notice tone="good" live>
          {t.keys.ask.done(revoked)}
        </Notice>
      )}
      <Keys onDo={begin} />
      <Programs />
      {doing?.what === 'make' && <NewKeyDialog onClose={done} />}
      {doing?.what === 'show' && <RevealKeyDialog row={doing.row} onClose={done} />}
      {doing?.what === 'revoke' && (
        <RevokeKeyDialog
          row={doing.row}
          onClose={done}
          onRevoked={({ name }) => {
            setRevoked(name)
            done()
          }}
        />
      )}
    </Page>
  )
}
