import type { ConsoleFailedCode, FailedCodeReason } from '@saleproof/schema/console'
import { useLocation } from 'wouter'
import { useWorkspaceQuery } from '../../api/queries.ts'
import { keyLabel } from '../../app/key-label.ts'
import { useSetNavigationState } from '../../app/navigation-state.tsx'
import { paths, pathTo } from '../../app/pages.ts'
import { useWorkspace } from '../../app/workspace.ts'
import { useLanguage } from '../../i18n/language.tsx'
import { LinkButton } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Skeleton } from '../../ui/loading.tsx'
import { rowLinkClass, Table } from '../../ui/table.tsx'
import { RelativeTime } from '../../ui/time.tsx'
import { StateBadge } from '../purchases/state-badge.tsx'
import { docsUrl } from './docs-url.ts'

function Code({ code: { purchase, masked } }: { code: ConsoleFailedCode }) {
  const { t } = useLanguage()
  const { slug } = useWorkspace()
  const [, navigate] = useLocation()
  const setNavigationState = useSetNavigationState()
  if (!purchase) return <code>{masked ?? t.overview.failedCodes.tooShort}</code>
  const openPurchase = () => {
    setNavigationState({ purchase: purchase.purchase_code })
    navigate(pathTo(paths.purchases, { workspace: slug }))
  }
  return (
    <button type="button" className={rowLinkClass} onClick={openPurchase}>
      <code>{purchase.purchase_code}</code>
    </button>
  )
}

function Codes({ codes }: { codes: readonly ConsoleFailedCode[] }) {
  const { t, format } = useLanguage()
  const { title, unknown, columns } = t.overview.failedCodes
  const { deletedKey } = t.overview.charts
  return (
    <Table
      cards
      caption={title}
      rows={codes}
      // Codes that are masked have no identity.
      rowKey={({ purchase }, index) => purchase?.purchase_code ?? index}
      columns={[
        { name: columns.code, cell: (code) => <Code code={code} /> },
        {
          name: columns.purchase,
          cell: ({ purchase }) =>
            purchase ? (
              <span>
                {purchase.item.name} <StateBadge state={purchase.state} />
              </span>
            ) : (
              unknown
            ),
        },
        { name: columns.key, cell: ({ key }) => (key ? keyLabel(key) : deletedKey) },
        { name: columns.count, number: true, cell: ({ count }) => format.number(count) },
        { name: columns.last, cell: ({ at }) => <RelativeTime at={at} /> },
      ]}
    />
  )
}

/** The codes that failed last for a reason, and what to do about them. */
export default function FailedCodesDialog({
  reason,
  onClose,
}: {
  reason: FailedCodeReason
  onClose: () => void
}) {
  const { t } = useLanguage()
  const { slug } = useWorkspace()
  const { data, error, refetch } = useWorkspaceQuery('listFailedCodes', { reason }, { staleTime: 0 })
  const { failedCodes: texts, reasons } = t.overview
  return (
    <Dialog
      panel
      title={reasons[reason]}
      onClose={onClose}
      footer={
        <LinkButton variant="primary" to={pathTo(paths.check, { workspace: slug })}>
          {t.nav.check}
        </LinkButton>
      }
    >
      <p>
        {texts.explain[reason]} <a href={docsUrl(reason)}>{texts.docs}</a>
      </p>
      {error && !data && <ErrorState error={error} onRetry={refetch} />}
      {!data && !error && <Skeleton height="12rem" />}
      {data?.codes.length === 0 && <p>{texts.none}</p>}
      {data && data.codes.length > 0 && <Codes codes={data.codes} />}
      <p className="muted">{texts.kept}</p>
    </Dialog>
  )
}
