import type { PurchaseState } from '@saleproof/schema'
import type { ConsolePurchase, ConsolePurchaseDetail } from '@saleproof/schema/console'
import { useState } from 'react'
import { Link } from 'wouter'
import { usePurchase, useSetPurchaseState } from '../../api/purchases.ts'
import { paths, pathTo } from '../../app/pages.ts'
import { useWorkspace } from '../../app/workspace.ts'
import { useLanguage } from '../../i18n/language.tsx'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { DescriptionList } from '../../ui/description-list.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { ShapeComparison } from '../../ui/json-view.tsx'
import { Skeleton } from '../../ui/loading.tsx'
import { Notice } from '../../ui/notice.tsx'
import { ShortDate } from '../../ui/time.tsx'
import styles from './purchases.module.css'
import { StateBadge } from './state-badge.tsx'

type Action = 'refund' | 'revoke' | 'reinstate'

const targets: Record<Action, PurchaseState> = { refund: 'refunded', revoke: 'revoked', reinstate: 'active' }

const possible = ({ state }: ConsolePurchase): Action[] =>
  state === 'active' ? ['refund', 'revoke'] : ['reinstate']

function PurchaseFacts({ purchase }: { purchase: ConsolePurchase }) {
  const { t, format } = useLanguage()
  const { slug } = useWorkspace()
  const { detail } = t.purchases
  const { item } = purchase
  const itemPage = pathTo(paths.item, { workspace: slug, item: String(item.id) })
  return (
    <DescriptionList
      facts={[
        { name: detail.item, value: <Link to={itemPage}>{item.name}</Link> },
        { name: detail.license, value: purchase.license_type },
        { name: detail.paid, value: format.money(purchase.price, purchase.currency) },
        { name: detail.date, value: <ShortDate at={purchase.date} /> },
        {
          name: detail.support,
          value: purchase.supported_until ? <ShortDate at={purchase.supported_until} /> : detail.noSupport,
        },
        { name: detail.downloaded, value: purchase.downloaded ? detail.yes : detail.no },
      ]}
    />
  )
}

function Detail({ detail: { purchase, base, extended } }: { detail: ConsolePurchaseDetail }) {
  const { t } = useLanguage()
  const texts = t.purchases.detail
  return (
    <>
      <div className={styles.ticket}>
        <code>{purchase.purchase_code}</code>
        <span>
          <StateBadge state={purchase.state} />
          <CopyButton icon small variant="quiet" text={purchase.purchase_code} label={texts.copyCode} />
        </span>
      </div>
      <PurchaseFacts purchase={purchase} />
      <section className={styles.section}>
        <h3>{purchase.state === 'active' ? texts.answers : texts.answersWhile}</h3>
        <ShapeComparison base={base} extended={extended} />
      </section>
    </>
  )
}

function useActions(purchase: ConsolePurchase | undefined) {
  const { t } = useLanguage()
  const setState = useSetPurchaseState()
  const [asked, ask] = useState<Action>()
  const [done, setDone] = useState<PurchaseState>()
  const begin = (action: Action) => {
    setState.reset()
    setDone(undefined)
    ask(action)
  }
  const confirm = () => {
    if (!asked || !purchase) return
    const send = { purchase_code: purchase.purchase_code, state: targets[asked] }
    setState.mutate(send, {
      onSuccess: ({ state }) => {
        ask(undefined)
        setDone(state)
      },
    })
  }
  const buttons =
    purchase &&
    possible(purchase).map((action) => (
      <Button key={action} onClick={() => begin(action)}>
        {t.purchases.actions[action]}
      </Button>
    ))
  const dialog = asked && (
    <ConfirmDialog
      open
      danger={asked !== 'reinstate'}
      onClose={() => ask(undefined)}
      title={t.purchases.ask[asked].title}
      action={t.purchases.actions[asked]}
      busy={setState.isPending}
      error={setState.error}
      onConfirm={confirm}
    >
      <p>{t.purchases.ask[asked].text}</p>
      <p>{t.purchases.ask.noted}</p>
    </ConfirmDialog>
  )
  return { buttons, dialog, done }
}

/** A purchase in front of the list: its code is in no address. */
export default function PurchasePanel({ code, onClose }: { code: string; onClose: () => void }) {
  const { t } = useLanguage()
  const { data, error, refetch } = usePurchase(code)
  const { buttons, dialog, done } = useActions(data?.purchase)
  return (
    <Dialog open panel onClose={onClose} title={t.purchases.detail.title} footer={buttons}>
      {done && (
        <Notice tone={done === 'active' ? 'good' : 'note'} live>
          {t.purchases.done[done]}
        </Notice>
      )}
      {error && !data && <ErrorState error={error} onRetry={refetch} />}
      {!data && !error && <Skeleton height="20rem" />}
      {data && <Detail detail={data} />}
      {dialog}
    </Dialog>
  )
}
