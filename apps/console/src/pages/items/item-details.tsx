import type { ConsoleItemDetail } from '@saleproof/schema/console'
import { Link } from 'wouter'
import { paths, pathTo } from '../../app/pages.ts'
import { useWorkspace } from '../../app/workspace.ts'
import { useLanguage } from '../../i18n/language.tsx'
import { Badge } from '../../ui/badge.tsx'
import { DescriptionList } from '../../ui/description-list.tsx'
import { ShortDate } from '../../ui/time.tsx'
import { valueAt } from './item-fields.ts'
import styles from './items.module.css'

const Badges = ({ texts }: { texts: readonly unknown[] }) => (
  <span className={styles.badges}>
    {texts.map(String).map((text) => (
      <Badge key={text}>{text}</Badge>
    ))}
  </span>
)

const ExternalLink = ({ url }: { url: string }) => (
  <a href={url} target="_blank" rel="noreferrer noopener">
    {url.replace(/^https?:\/\//, '')}
  </a>
)

/** Shows a field by the type of its value; undefined for an empty one. */
function useFieldValue() {
  const { t } = useLanguage()
  return (name: string, value: unknown) => {
    if (Array.isArray(value)) return value.length > 0 ? <Badges texts={value} /> : undefined
    if (typeof value === 'boolean') return value ? t.items.yes : t.items.no
    if (typeof value === 'number') return value
    if (typeof value !== 'string') return undefined
    if (name.endsWith('_at')) return <ShortDate at={value} />
    return /^https?:\/\//.test(value) ? <ExternalLink url={value} /> : value
  }
}

/** The page shows these elsewhere. */
const shownElsewhere = /^(?:name|description|kind|currency|media\..+)$/

/** Lists every field that has a label in `messages`, in the order of the labels. */
export function ItemDetails({ detail: { item, record, purchases } }: { detail: ConsoleItemDetail }) {
  const { t, format } = useLanguage()
  const { slug } = useWorkspace()
  const fieldValue = useFieldValue()
  const fields = Object.entries(t.items.fields).flatMap(([path, label]) => {
    if (shownElsewhere.test(path)) return []
    const value = valueAt(record, path)
    const shown = path.startsWith('price.')
      ? format.money(Number(value), item.currency)
      : fieldValue(path, value)
    return { label, value: shown, wide: Array.isArray(value) }
  })
  const purchasesPath = `${pathTo(paths.purchases, { workspace: slug })}?item=${item.id}`
  const sold = <Link to={purchasesPath}>{t.items.purchaseCount(purchases)}</Link>
  return <DescriptionList entries={[{ label: t.items.sold, value: sold }, ...fields]} />
}
