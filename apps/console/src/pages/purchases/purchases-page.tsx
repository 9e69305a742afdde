import type { CappedCount } from '@saleproof/schema/console'
import { minCodePart } from '@saleproof/schema/console/constants'
import { cleanPastedCode } from '@saleproof/schema/constants'
import { useEffect, useState } from 'react'
import { useWorkspaceList } from '../../api/queries.ts'
import { useKept, useOpenWith } from '../../app/kept.ts'
import { paths, pathTo } from '../../app/pages.ts'
import { useWorkspace } from '../../app/workspace.ts'
import { useLanguage } from '../../i18n/language.tsx'
import { Button, LinkButton } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Download, Plus, ReceiptText, SearchX } from '../../ui/icons.ts'
import { lazyWithPreload } from '../../ui/lazy-with-preload.tsx'
import { Skeleton } from '../../ui/loading.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { LoadMore } from '../../ui/table.tsx'
import { useDebouncedValue } from '../../ui/use-debounced-value.ts'
import type { CheckDraft } from '../check/code-check.tsx'
import { CodeSearch, Filters } from './filters.tsx'
import { PurchaseSums } from './purchase-sums.tsx'
import { PurchaseTable } from './purchase-table.tsx'
import styles from './purchases.module.css'
import { type PurchaseQuery, toQuery, usePurchaseFilters } from './query.ts'
import { usePurchaseTexts } from './texts.ts'

// Viewing the list loads no dialogs.
const ExportDialog = lazyWithPreload(() => import('./export-dialog.tsx'))
const RecordSaleDialog = lazyWithPreload(() => import('./record-sale-dialog.tsx'))
const PurchasePanel = lazyWithPreload(() => import('./purchase-panel.tsx'))

interface NoPurchasesProps {
  searched: string
  isFiltered: boolean
  onClear: () => void
}

function NoPurchases({ searched, isFiltered, onClear }: NoPurchasesProps) {
  const openCheck = useOpenWith<CheckDraft>(paths.check, 'check')
  const texts = usePurchaseTexts()
  if (!searched && !isFiltered) {
    return (
      <EmptyState scope="card" icon={ReceiptText} title={texts.none}>
        {texts.noneText}
      </EmptyState>
    )
  }
  const isShort = [...cleanPastedCode(searched)].length < minCodePart
  const explanation = isShort ? texts.codeTooShort(minCodePart) : texts.codeNotFoundText
  const explainCode = () => openCheck({ code: searched, keyId: '', isChecked: true })
  return (
    <EmptyState
      scope="card"
      icon={SearchX}
      title={texts.noneFound}
      actions={
        <>
          {searched && (
            <Button variant="primary" onClick={explainCode}>
              {texts.explainCode}
            </Button>
          )}
          <Button onClick={onClear}>{texts.clear}</Button>
        </>
      }
    >
      {searched ? explanation : texts.noneFoundText}
    </EmptyState>
  )
}

/** A page of results may be empty without being the last: loads pages until the last one has results. */
function useLoadUntilFound({
  data,
  hasNextPage,
  isFetchingNextPage,
  fetchNextPage,
}: ReturnType<typeof useWorkspaceList<'searchPurchases'>>) {
  const isEmpty = data?.pages.at(-1)?.purchases.length === 0
  useEffect(() => {
    if (isEmpty && hasNextPage && !isFetchingNextPage) void fetchNextPage()
  }, [isEmpty, hasNextPage, isFetchingNextPage, fetchNextPage])
}

/** What the first page counted, and what was found since then. */
const combineCounts = (
  total: CappedCount | null | undefined,
  found: number,
  hasNextPage: boolean,
): CappedCount =>
  hasNextPage
    ? { count: Math.max(total?.count ?? 0, found), more: total?.more ?? true }
    : { count: found, more: false }

interface ResultsProps {
  query: PurchaseQuery
  onOpen: (code: string) => void
  onClear: () => void
}

function Results({ query, onOpen, onClear }: ResultsProps) {
  const texts = usePurchaseTexts()
  const results = useWorkspaceList('searchPurchases', query)
  useLoadUntilFound(results)
  const [isExporting, setExporting] = useState(false)
  const { data, error, refetch, hasNextPage, isPlaceholderData } = results
  if (error && !data) return <ErrorState error={error} onRetry={refetch} />
  if (!data) return <Skeleton height="24rem" />
  const { search: searched = '', ...filters } = query
  const purchases = data.pages.flatMap((page) => page.purchases)
  const total = combineCounts(data.pages[0]?.total, purchases.length, hasNextPage)
  const count = total.count === 0 && total.more ? texts.searchingOlder : texts.count(total)
  return (
    <>
      <div className={styles.summary}>
        <p role="status">{count}</p>
        {!isPlaceholderData && <PurchaseSums query={query} page={data.pages[0]} />}
        {!searched && purchases.length > 0 && (
          <Button small onClick={() => setExporting(true)}>
            <Download size={16} aria-hidden />
            {texts.exportList}
          </Button>
        )}
      </div>
      {purchases.length > 0 && (
        <div aria-busy={isPlaceholderData}>
          <PurchaseTable purchases={purchases} onOpen={onOpen} />
        </div>
      )}
      {purchases.length === 0 && !hasNextPage && (
        <NoPurchases searched={searched} isFiltered={Object.keys(filters).length > 0} onClear={onClear} />
      )}
      <LoadMore query={results} />
      {isExporting && <ExportDialog filters={filters} count={count} onClose={() => setExporting(false)} />}
    </>
  )
}

/** The history entry of an opened purchase. It does not say which one: the browser stores it, and codes are not stored. */
const openedEntry = 'opened'

/** The code of the opened purchase. Going back closes it. */
function useOpenCode(initial: string) {
  const [code, setCode] = useState(initial)
  useEffect(() => {
    const onPopState = () => setCode('')
    addEventListener('popstate', onPopState)
    return () => removeEventListener('popstate', onPopState)
  }, [])
  const open = (next: string) => {
    history.pushState(openedEntry, '')
    setCode(next)
  }
  const close = () => {
    if (history.state !== openedEntry) return setCode('')
    // A second key press must not go back once more.
    history.replaceState(null, '')
    history.back()
  }
  return { code, open, close }
}

export default function PurchasesPage() {
  const { t } = useLanguage()
  const texts = usePurchaseTexts()
  const { value: initialCode, forget } = useKept(['purchase'], '')
  useEffect(forget, [])
  const { filters, clear } = usePurchaseFilters()
  // The only filter that is typed.
  const { license: typed = '', ...others } = filters
  const license = useDebouncedValue(typed)
  const { value: initialSearch, forget: forgetSearch } = useKept(['search'], '')
  useEffect(forgetSearch, [])
  const [text, setText] = useState(initialSearch)
  const [searched, setSearched] = useState(initialSearch)
  const opened = useOpenCode(initialCode)
  const { slug } = useWorkspace()
  const [isRecording, setRecording] = useState(useKept(['sale', slug], undefined).value !== undefined)
  const [isRemoved, setRemoved] = useState(false)
  return (
    <Page
      title={t.nav.purchases}
      lead={texts.lead}
      actions={
        <>
          <LinkButton to={pathTo(paths.importRecords, { workspace: slug })}>{t.nav.import}</LinkButton>
          <Button variant="primary" onClick={() => setRecording(true)}>
            <Plus size={18} aria-hidden />
            {texts.recordSale}
          </Button>
        </>
      }
    >
      {isRemoved && !opened.code && <Notice tone="success">{texts.removed}</Notice>}
      <CodeSearch
        text={text}
        onTextChange={(next) => {
          setText(next)
          if (!next.trim()) setSearched('')
        }}
        onSubmit={() => setSearched(text.trim())}
      />
      <Filters />
      <Results
        query={{
          ...toQuery({ ...others, ...(license && { license }) }),
          ...(searched && { search: searched }),
        }}
        onOpen={(code) => {
          setRemoved(false)
          opened.open(code)
        }}
        onClear={() => {
          setText('')
          setSearched('')
          clear()
        }}
      />
      {isRecording && <RecordSaleDialog onClose={() => setRecording(false)} />}
      {opened.code && (
        <PurchasePanel
          code={opened.code}
          onClose={opened.close}
          onRemoved={() => {
            setRemoved(true)
            opened.close()
          }}
        />
      )}
    </Page>
  )
}
