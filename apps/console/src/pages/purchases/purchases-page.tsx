import type { ConsolePurchases } from '@saleproof/schema/console'
import { useEffect, useState } from 'react'
import { useLocation } from 'wouter'
import { type PurchaseQuery, usePurchases } from '../../api/purchases.ts'
import { useNavigationState, useSetNavigationState } from '../../app/navigation-state.tsx'
import { paths, pathTo } from '../../app/pages.ts'
import { useWorkspace } from '../../app/workspace.ts'
import { useLanguage } from '../../i18n/language.tsx'
import { Button } from '../../ui/button.tsx'
import { classes } from '../../ui/classes.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Download, ReceiptText, SearchX } from '../../ui/icons.ts'
import { lazyWithPreload } from '../../ui/lazy-with-preload.tsx'
import { Skeleton } from '../../ui/loading.tsx'
import { Card, Page } from '../../ui/page.tsx'
import { CodeSearch } from './code-search.tsx'
import { Filters } from './filters.tsx'
import { PurchaseTable } from './purchase-table.tsx'
import styles from './purchases.module.css'
import { queryOf, usePurchaseFilters } from './query.ts'

// Whoever only looks at the list has no need of dialogs.
const ExportDialog = lazyWithPreload(() => import('./export-dialog.tsx'))
const PurchasePanel = lazyWithPreload(() => import('./purchase-panel.tsx'))

interface NothingFoundProps {
  sought: string
  isFiltered: boolean
  onClear: () => void
}

function NothingFound({ sought, isFiltered, onClear }: NothingFoundProps) {
  const { t } = useLanguage()
  const { slug } = useWorkspace()
  const [, navigate] = useLocation()
  const setNavigationState = useSetNavigationState()
  const texts = t.purchases
  if (!sought && !isFiltered) {
    return (
      <EmptyState icon={ReceiptText} title={texts.none}>
        {texts.noneText}
      </EmptyState>
    )
  }
  const why = () => {
    setNavigationState({ check: sought })
    navigate(pathTo(paths.check, { workspace: slug }))
  }
  return (
    <EmptyState
      icon={SearchX}
      title={sought ? texts.noCode : texts.noneFound}
      actions={
        <>
          {sought && (
            <Button variant="primary" onClick={why}>
              {texts.why}
            </Button>
          )}
          <Button onClick={onClear}>{texts.clear}</Button>
        </>
      }
    >
      {sought ? texts.noCodeText : texts.noneFoundText}
    </EmptyState>
  )
}

/** How many there are on all pages: the first page knows. */
function useCount(first: ConsolePurchases | undefined): string {
  const { t } = useLanguage()
  return first?.total ? t.purchases.count(first.total) : ''
}

interface ResultsProps {
  query: PurchaseQuery
  onOpen: (code: string) => void
  onClear: () => void
}

function Results({ query, onOpen, onClear }: ResultsProps) {
  const { t } = useLanguage()
  const found = usePurchases(query)
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage, isPlaceholderData } = found
  const [exporting, setExporting] = useState(false)
  const count = useCount(data?.pages[0])
  const { purchase_code: sought = '', ...filters } = query
  const purchases = data?.pages.flatMap((page) => page.purchases) ?? []
  if (error && !data) return <ErrorState error={error} onRetry={refetch} />
  if (!data) return <Skeleton height="24rem" />
  return (
    <>
      <div className={styles.line}>
        <p role="status">{count}</p>
        {!sought && purchases.length > 0 && (
          <Button small onClick={() => setExporting(true)}>
            <Download size={16} aria-hidden />
            {t.purchases.export.open}
          </Button>
        )}
      </div>
      {purchases.length > 0 && (
        <div className={classes(isPlaceholderData && styles.stale)}>
          <PurchaseTable purchases={purchases} onOpen={onOpen} />
        </div>
      )}
      {purchases.length === 0 && !hasNextPage && (
        <Card>
          <NothingFound sought={sought} isFiltered={Object.keys(filters).length > 0} onClear={onClear} />
        </Card>
      )}
      {hasNextPage && (
        <div className={styles.more}>
          <Button busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            {t.actions.loadMore}
          </Button>
        </div>
      )}
      {exporting && <ExportDialog query={filters} count={count} onClose={() => setExporting(false)} />}
    </>
  )
}

/** A short page is not the last: whoever looks for something rare is not asked to go on again and again. */
function useGoOnWhileEmpty(query: PurchaseQuery) {
  const { data, hasNextPage, isFetchingNextPage, fetchNextPage } = usePurchases(query)
  const isEmpty = data?.pages.every(({ purchases }) => purchases.length === 0)
  useEffect(() => {
    if (isEmpty && hasNextPage && !isFetchingNextPage) void fetchNextPage()
  }, [isEmpty, hasNextPage, isFetchingNextPage, fetchNextPage])
}

export default function PurchasesPage() {
  const { t } = useLanguage()
  const initialCode = useNavigationState('purchase')
  const { filters, change, clear } = usePurchaseFilters()
  const [text, setText] = useState('')
  const [sought, find] = useState('')
  const [open, setOpen] = useState(initialCode)
  const query: PurchaseQuery = { ...queryOf(filters), ...(sought && { purchase_code: sought }) }
  useGoOnWhileEmpty(query)
  return (
    <Page title={t.purchases.title} lead={t.purchases.lead}>
      <CodeSearch
        text={text}
        onText={(next) => {
          setText(next)
          if (!next.trim()) find('')
        }}
        onFind={() => find(text.trim())}
      />
      <Filters filters={filters} change={change} />
      <Results
        query={query}
        onOpen={setOpen}
        onClear={() => {
          setText('')
          find('')
          clear()
        }}
      />
      {open && <PurchasePanel code={open} onClose={() => setOpen(undefined)} />}
    </Page>
  )
}
