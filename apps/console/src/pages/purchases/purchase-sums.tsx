import type { ConsolePurchases } from '@saleproof/schema/console'
import { useWorkspaceQuery } from '../../api/queries.ts'
import { useLanguage } from '../../i18n/language.tsx'
import styles from './purchases.module.css'
import type { PurchaseQuery } from './query.ts'
import { usePurchaseTexts } from './texts.ts'

interface PurchaseSumsProps {
  query: PurchaseQuery
  /** The first page of it. */
  page: ConsolePurchases | undefined
}

/** What all matches were paid. What no totals have is added up after the list. */
export function PurchaseSums({ query, page }: PurchaseSumsProps) {
  const { format } = useLanguage()
  const texts = usePurchaseTexts()
  const isMissing = page?.total?.more === true && page.sums === null
  const added = useWorkspaceQuery('sumPurchases', query, { enabled: isMissing })
  const sums = isMissing ? added.data?.sums : page?.sums
  if (isMissing && added.isFetching && !sums) return <p className={styles.sums}>{texts.addingUp}</p>
  if (isMissing && sums === null) return <p className={styles.sums}>{texts.tooManyToAdd}</p>
  if (!sums?.length) return null
  const paid = sums.map(({ amount, currency }) => format.money(amount, currency)).join(' + ')
  return <p className={styles.sums}>{texts.paid(paid)}</p>
}
