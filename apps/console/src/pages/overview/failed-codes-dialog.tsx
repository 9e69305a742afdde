import type { ConsoleFailedCode, FailedCodeReason } from '@saleproof/schema/console'
import { useWorkspaceQuery } from '../../api/queries.ts'
import { useOpenWith } from '../../app/kept.ts'
import { keyLabel } from '../../app/key-label.ts'
import { paths, pathTo } from '../../app/pages.ts'
import { serviceUrl } from '../../app/service-url.ts'
import { useWorkspace } from '../../app/workspace.ts'
import { useLanguage } from '../../i18n/language.tsx'
import { LinkButton } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Skeleton } from '../../ui/loading.tsx'
import { rowLinkClass, Table } from '../../ui/table.tsx'
import { RelativeTime } from '../../ui/time.tsx'
import { StateBadge } from '../purchases/state-badge.tsx'

function Code({ code: { purchase, masked } }: { code: ConsoleFailedCode }) {
  const { t } = useLanguage()
  const openPurchase = useOpenWith<string>(paths.purchases, 'purchase')
  if (!purchase) return <code>{masked ?? t.overview.failedCodes.tooShort}</code>
  return (
    <button type="button" className={rowLinkClass} onClick={() => openPurchase(purchase.purchase_code)}>
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
        {texts.explain[reason]} <a href={serviceUrl(`docs/errors#${reason}`)}>{texts.docs}</a>
      </p>
      {error && !data && <ErrorState error={error} onRetry={refetch} />}
      {!data && !error && <Skeleton height="12rem" />}
      {data?.codes.length === 0 && <p>{texts.none}</p>}
      {data && data.codes.length > 0 && <Codes codes={data.codes} />}
      <p className="muted">{texts.kept}</p>
    </Dialog>
  )
}
