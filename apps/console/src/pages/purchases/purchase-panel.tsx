import type { ConsolePurchase, ConsolePurchaseDetail } from '@saleproof/schema/console'
import type { PurchaseState } from '@saleproof/schema/constants'
import { useState } from 'react'
import { Link } from 'wouter'
import { useWorkspaceMutation, useWorkspaceQuery } from '../../api/queries.ts'
import { licenseName } from '../../app/license.ts'
import { paths, pathTo } from '../../app/pages.ts'
import { useWorkspace } from '../../app/workspace.ts'
import { useLanguage } from '../../i18n/language.tsx'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { DescriptionList } from '../../ui/description-list.tsx'
import { ConfirmDialog, Dialog } from '../../ui/dialog.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { ShapeComparison } from '../../ui/json-view.tsx'
import { Skeleton } from '../../ui/loading.tsx'
import { Notice } from '../../ui/notice.tsx'
import { ShortDate } from '../../ui/time.tsx'
import { PurchaseHistory } from './purchase-history.tsx'
import styles from './purchases.module.css'
import { StateBadge } from './state-badge.tsx'

const nextStates = { refund: 'refunded', revoke: 'revoked', reinstate: 'active' } as const

type StateChange = keyof typeof nextStates
type Action = StateChange | 'remove'

const actionsFor = (state: PurchaseState): StateChange[] =>
  state === 'active' ? ['refund', 'revoke'] : ['reinstate']

interface DetailsProps {
  detail: ConsolePurchaseDetail
  onRemove: () => void
}

function Details({ detail, onRemove }: DetailsProps) {
  const { purchase, base, extended } = detail
  const { t, format } = useLanguage()
  const { slug } = useWorkspace()
  const { detail: texts, fields } = t.purchases
  const { item, supported_until: supportedUntil } = purchase
  const itemPath = pathTo(paths.item, { workspace: slug, item: String(item.id) })
  return (
    <>
      <div className={styles.ticket}>
        <code>{purchase.purchase_code}</code>
        <span>
          <StateBadge state={purchase.state} />
          <CopyButton iconOnly small variant="quiet" text={purchase.purchase_code} label={texts.copyCode} />
        </span>
      </div>
      <DescriptionList
        entries={[
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
        ]}
      />
      <PurchaseHistory detail={detail} />
      <section className={styles.section}>
        <h3>{purchase.state === 'active' ? texts.response : texts.responseWhileActive}</h3>
        <ShapeComparison base={base} extended={extended} />
      </section>
      <section className={styles.section}>
        <h3>{t.purchases.removal.heading}</h3>
        <p>{t.purchases.removal.lead}</p>
        <div>
          <Button small onClick={onRemove}>
            {t.purchases.actions.remove}
          </Button>
        </div>
      </section>
    </>
  )
}

interface ConfirmActionProps {
  action: Action
  purchase: ConsolePurchase
  onClose: () => void
  onDone: (result: PurchaseState | 'removed') => void
}

function ConfirmAction({ action, purchase, onClose, onDone }: ConfirmActionProps) {
  const { t } = useLanguage()
  const setState = useWorkspaceMutation('setPurchaseState')
  const removal = useWorkspaceMutation('removePurchase')
  const { title, text } = t.purchases.confirm[action]
  const { purchase_code } = purchase
  const confirm = () =>
    action === 'remove'
      ? removal.mutate({ purchase_code }, { onSuccess: () => onDone('removed') })
      : setState.mutate(
          { purchase_code, state: nextStates[action] },
          { onSuccess: ({ state }) => onDone(state) },
        )
  return (
    <ConfirmDialog
      danger={action !== 'reinstate'}
      onClose={onClose}
      title={title}
      action={t.purchases.actions[action]}
      mutation={action === 'remove' ? removal : setState}
      onConfirm={confirm}
    >
      <p>
        <code>{purchase_code}</code>, {purchase.item.name}
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
  const { t } = useLanguage()
  const { data, error, refetch } = useWorkspaceQuery('getPurchase', { purchase_code: code })
  const [action, setAction] = useState<Action>()
  const [newState, setNewState] = useState<PurchaseState>()
  const begin = (next: Action) => {
    setNewState(undefined)
    setAction(next)
  }
  const finish = (result: PurchaseState | 'removed') => {
    if (result === 'removed') return onRemoved()
    setAction(undefined)
    setNewState(result)
  }
  const buttons =
    data &&
    actionsFor(data.purchase.state).map((each) => (
      <Button key={each} onClick={() => begin(each)}>
        {t.purchases.actions[each]}
      </Button>
    ))
  return (
    <Dialog panel onClose={onClose} title={t.purchases.detail.title} footer={buttons}>
      {newState && (
        <Notice tone={newState === 'active' ? 'success' : 'info'} live takesFocus>
          {t.purchases.done[newState]}
        </Notice>
      )}
      {error && !data && <ErrorState error={error} onRetry={refetch} />}
      {!data && !error && <Skeleton height="20rem" />}
      {data && <Details detail={data} onRemove={() => begin('remove')} />}
      {data && action && (
        <ConfirmAction
          action={action}
          purchase={data.purchase}
          onClose={() => setAction(undefined)}
          onDone={finish}
        />
      )}
    </Dialog>
  )
}
