import type { ConsolePurchase, ConsolePurchaseDetail } from '@saleproof/schema/console'
import type { PurchaseState } from '@saleproof/schema/constants'
import { customerFields } from '@saleproof/schema/records'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'wouter'
import { useWorkspaceMutation, useWorkspaceQuery } from '../../api/queries.ts'
import { keptKey } from '../../api/stored-drafts.ts'
import { licenseName } from '../../app/license.ts'
import { paths, pathTo } from '../../app/pages.ts'
import { useWorkspace } from '../../app/workspace.ts'
import { useLanguage } from '../../i18n/language.tsx'
import { Button } from '../../ui/button.tsx'
import { CodeBlock } from '../../ui/code-block.tsx'
import { DescriptionList } from '../../ui/description-list.tsx'
import { ConfirmDialog, Dialog } from '../../ui/dialog.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { ShapeComparison } from '../../ui/json-view.tsx'
import { lazyWithPreload } from '../../ui/lazy-with-preload.tsx'
import { Skeleton } from '../../ui/loading.tsx'
import { Notice } from '../../ui/notice.tsx'
import { ShortDate } from '../../ui/time.tsx'
import { PurchaseHistory } from './purchase-history.tsx'
import styles from './purchases.module.css'
import { StateBadge } from './state-badge.tsx'
import { usePurchaseTexts } from './texts.ts'

const EditPurchaseDialog = lazyWithPreload(() => import('./edit-purchase-dialog.tsx'))

const nextStates = { refund: 'refunded', revoke: 'revoked', reinstate: 'active' } as const

type StateChange = keyof typeof nextStates
type Action = StateChange | 'remove' | 'erase'

const actionsFor = (state: PurchaseState): StateChange[] =>
  state === 'active' ? ['refund', 'revoke'] : ['reinstate']

interface DetailsProps {
  detail: ConsolePurchaseDetail
  onBegin: (action: 'remove' | 'erase') => void
}

function Details({ detail, onBegin }: DetailsProps) {
  const { purchase, base, extended } = detail
  const { t, format } = useLanguage()
  const { slug } = useWorkspace()
  const { fields } = t.purchases
  const { detail: texts, actions } = usePurchaseTexts()
  const { item, supported_until: supportedUntil } = purchase
  const endings = purchase.customer_email ? (['erase', 'remove'] as const) : (['remove'] as const)
  const itemPath = pathTo(paths.item, { workspace: slug, item: String(item.id) })
  return (
    <>
      <CodeBlock wrap label={fields.purchase_code} text={purchase.purchase_code} copyLabel={texts.copyCode} />
      <DescriptionList
        entries={[
          { label: fields.state, value: <StateBadge state={purchase.state} /> },
          {
            label: fields.item,
            // Going back from the item leads to the list, not to the entry of the panel.
            value: (
              <Link replace to={itemPath}>
                {item.name}
              </Link>
            ),
          },
          { label: fields.license_type, value: licenseName(purchase.license_type, t) },
          { label: fields.price, value: format.money(purchase.price, purchase.currency) },
          { label: fields.date, value: <ShortDate at={purchase.date} /> },
          {
            label: fields.supported_until,
            value: supportedUntil ? <ShortDate at={supportedUntil} /> : texts.noSupport,
          },
          { label: fields.downloaded, value: purchase.downloaded ? texts.yes : texts.no },
          ...customerFields.map((field) => ({
            label: fields[field],
            value: purchase[field],
            wide: field === 'note',
          })),
        ]}
      />
      <PurchaseHistory detail={detail} />
      <section className={styles.section}>
        <h3>{purchase.state === 'active' ? texts.response : texts.responseWhileActive}</h3>
        <ShapeComparison base={base} extended={extended} />
      </section>
      {endings.map((action) => (
        <section key={action} className={styles.section}>
          <h3>{texts[action].heading}</h3>
          <p>{texts[action].lead}</p>
          <div>
            <Button small onClick={() => onBegin(action)}>
              {actions[action]}
            </Button>
          </div>
        </section>
      ))}
    </>
  )
}

interface ConfirmActionProps {
  action: Action
  purchase: ConsolePurchase
  onClose: () => void
  onDone: (text: string) => void
  onRemoved: () => void
}

function ConfirmAction({ action, purchase, onClose, onDone, onRemoved }: ConfirmActionProps) {
  const { t } = useLanguage()
  const setState = useWorkspaceMutation('setPurchaseState')
  const removal = useWorkspaceMutation('removePurchase')
  const erasure = useWorkspaceMutation('eraseCustomer')
  const { slug } = useWorkspace()
  const client = useQueryClient()
  const texts = usePurchaseTexts()
  const { title, text } = texts.confirm[action]
  const { purchase_code, customer_email: email } = purchase
  const confirm = () => {
    if (action === 'remove') return removal.mutate({ purchase_code }, { onSuccess: onRemoved })
    if (action === 'erase')
      return erasure.mutate(
        { email: email ?? '' },
        {
          onSuccess: ({ purchases }) => {
            client.removeQueries({ queryKey: [keptKey, 'edit', slug] })
            onDone(texts.erased(purchases))
          },
        },
      )
    return setState.mutate(
      { purchase_code, state: nextStates[action] },
      { onSuccess: ({ state }) => onDone(texts.done[state]) },
    )
  }
  return (
    <ConfirmDialog
      danger={action !== 'reinstate'}
      onClose={onClose}
      title={title}
      action={texts.actions[action]}
      mutation={{ remove: removal, erase: erasure }[action as string] ?? setState}
      onSubmit={confirm}
    >
      <p>
        {action === 'erase' ? email : <code>{purchase_code}</code>}, {purchase.item.name}
      </p>
      <p>{text}</p>
      <p>{t.purchases.audited}</p>
    </ConfirmDialog>
  )
}

interface PurchasePanelProps {
  code: string
  onClose: () => void
  onRemoved: () => void
}

/** Opens over the list without a path of its own, because a purchase code must not be in a URL. */
export default function PurchasePanel({ code, onClose, onRemoved }: PurchasePanelProps) {
  const texts = usePurchaseTexts()
  const { data, error, refetch } = useWorkspaceQuery('getPurchase', { purchase_code: code })
  const [action, setAction] = useState<Action | 'edit'>()
  const [done, setDone] = useState<string>()
  const begin = (next: Action | 'edit') => {
    setDone(undefined)
    setAction(next)
  }
  const finish = (text: string) => {
    setAction(undefined)
    setDone(text)
  }
  const buttons = data && (
    <>
      <Button onClick={() => begin('edit')}>{texts.edit.open}</Button>
      {actionsFor(data.purchase.state).map((each) => (
        <Button key={each} onClick={() => begin(each)}>
          {texts.actions[each]}
        </Button>
      ))}
    </>
  )
  return (
    <Dialog panel onClose={onClose} title={texts.detail.title} footer={buttons}>
      {done && <Notice tone="success">{done}</Notice>}
      {error && !data && <ErrorState error={error} onRetry={refetch} />}
      {!data && !error && <Skeleton height="20rem" />}
      {data && <Details detail={data} onBegin={begin} />}
      {data && action === 'edit' && (
        <EditPurchaseDialog
          purchase={data.purchase}
          onClose={() => setAction(undefined)}
          onSaved={() => finish(texts.edit.done)}
        />
      )}
      {data && action && action !== 'edit' && (
        <ConfirmAction
          action={action}
          purchase={data.purchase}
          onClose={() => setAction(undefined)}
          onDone={finish}
          onRemoved={onRemoved}
        />
      )}
    </Dialog>
  )
}
