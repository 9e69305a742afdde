import type { ConsoleSigningKey } from '@saleproof/schema/console'
import { passHours } from '@saleproof/schema/console/constants'
import { useState } from 'react'
import { useAccountMutation, useWorkspaceMutation, useWorkspaceQuery } from '../../api/queries.ts'
import { useWorkspace } from '../../app/workspace.ts'
import { useLanguage } from '../../i18n/language.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { ErrorNotice, ErrorState } from '../../ui/error-state.tsx'
import { SelectField } from '../../ui/field.tsx'
import { FormCard, useDraft } from '../../ui/form.tsx'
import { Plus } from '../../ui/icons.ts'
import { Skeleton } from '../../ui/loading.tsx'
import { Card, Page } from '../../ui/page.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { ShortDate } from '../../ui/time.tsx'
import styles from '../api-access/api-access.module.css'
import { PassSnippets } from './pass-snippets.tsx'

interface RetireDialogProps {
  signingKey: ConsoleSigningKey
  onClose: () => void
}

function RetireDialog({ signingKey: { id, passes }, onClose }: RetireDialogProps) {
  const { t, format } = useLanguage()
  const texts = t.settings.passes
  const retire = useWorkspaceMutation('retireSigningKey')
  return (
    <ConfirmDialog
      danger
      onClose={onClose}
      title={texts.retireTitle(id)}
      action={texts.retire}
      mutation={retire}
      onSubmit={() => retire.mutate({ id }, { onSuccess: onClose })}
    >
      <p>{texts.retireText}</p>
      <p>
        <strong>{texts.stillAsked(format.number(passes))}</strong>
      </p>
    </ConfirmDialog>
  )
}

interface SigningKeyTableProps {
  keys: readonly ConsoleSigningKey[]
  onRetire: (key: ConsoleSigningKey) => void
}

function SigningKeyTable({ keys, onRetire }: SigningKeyTableProps) {
  const { t, format } = useLanguage()
  const texts = t.settings.passes
  const { columns } = texts
  const rows: Column<ConsoleSigningKey>[] = [
    {
      name: columns.publicKey,
      cell: ({ id, public_key: publicKey, retired_at: retiredAt }) => (
        <span className={styles.name}>
          <code>{publicKey}</code>
          <small>{id}</small>
          {!retiredAt && <CopyButton small text={publicKey} label={texts.copyKey} />}
        </span>
      ),
    },
    {
      name: columns.state,
      cell: ({ retired_at: retiredAt }) => (
        <Badge tone={retiredAt ? 'error' : 'success'}>{retiredAt ? texts.retired : texts.signs}</Badge>
      ),
    },
    { name: columns.passes, number: true, cell: ({ passes }) => format.number(passes) },
    { name: columns.created, cell: ({ created_at: at }) => <ShortDate at={at} /> },
    {
      name: columns.actions,
      unlabelled: true,
      cell: (key) =>
        !key.retired_at && (
          <Button small aria-label={texts.retireTitle(key.id)} onClick={() => onRetire(key)}>
            {texts.retire}
          </Button>
        ),
    },
  ]
  return <Table cards caption={texts.caption} rows={keys} rowKey={({ id }) => id} columns={rows} />
}

const choices = [1, 6, 24, 72, 168, 336, 720, passHours.max]

/** How long a program may believe a pass. */
function PassLife() {
  const { t } = useLanguage()
  const { slug, pass_hours: hours } = useWorkspace()
  const save = useAccountMutation('updateWorkspace')
  const { draft, change } = useDraft({ hours: hours ?? passHours.default }, save.reset)
  const texts = t.settings.passes
  const offered = [...new Set([...choices, draft.hours])].sort((one, other) => one - other)
  return (
    <FormCard
      title={texts.life}
      description={texts.lifeText}
      action={t.actions.save}
      successText={t.actions.saved}
      mutation={save}
      onSubmit={() => save.mutate({ slug, pass_hours: draft.hours })}
    >
      <SelectField
        label={texts.lifeLabel}
        value={String(draft.hours)}
        options={offered.map((count) => ({ value: String(count), label: texts.hours(count) }))}
        onValueChange={(next) => change({ hours: Number(next) })}
      />
    </FormCard>
  )
}

export default function PassesPage() {
  const { t } = useLanguage()
  const texts = t.settings.passes
  const { data, error, refetch } = useWorkspaceQuery('listSigningKeys', {})
  const rotate = useWorkspaceMutation('rotateSigningKey')
  const [retiring, setRetiring] = useState<ConsoleSigningKey>()
  const keys = data?.signing_keys
  return (
    <Page
      title={t.nav.passes}
      lead={texts.lead}
      actions={
        <Button
          variant="primary"
          busy={rotate.isPending}
          onClick={() => rotate.mutate(keys?.[0] ? { newest: keys[0].id } : {})}
        >
          <Plus size={18} aria-hidden />
          {texts.rotate}
        </Button>
      }
    >
      <ErrorNotice error={rotate.error} />
      {error && !keys && <ErrorState error={error} onRetry={refetch} />}
      {!error && !keys && <Skeleton height="12rem" />}
      {keys && (
        <>
          <SigningKeyTable keys={keys} onRetire={setRetiring} />
          <p className="secondary">{texts.rotateText}</p>
          <Card title={texts.snippets} description={texts.snippetsText}>
            <PassSnippets />
          </Card>
        </>
      )}
      <PassLife />
      {retiring && <RetireDialog signingKey={retiring} onClose={() => setRetiring(undefined)} />}
    </Page>
  )
}
