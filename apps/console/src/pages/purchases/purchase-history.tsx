import type { ConsoleActor, ConsolePurchaseDetail, PurchaseValidations } from '@saleproof/schema/console'
import { useLanguage } from '../../i18n/language.tsx'
import { timezone } from '../../i18n/languages.ts'
import type { PurchaseMessages } from '../../messages/en/purchase.ts'
import { Table } from '../../ui/table.tsx'
import { ExactTime } from '../../ui/time.tsx'
import styles from './purchases.module.css'
import { usePurchaseTexts } from './texts.ts'

interface TimelineEntry {
  text: string
  at: string
}

type Texts = PurchaseMessages['history']

function actorText({ by }: Texts, { kind, username }: ConsoleActor): string {
  if (kind !== 'account') return by[kind]
  return username === null ? by.removedAccount : by.account(username)
}

function validationEntries(texts: Texts, validations: PurchaseValidations | null): TimelineEntry[] {
  const { count = 0, first_at: first, last_at: last } = validations ?? {}
  if (!first || !last) return []
  if (count === 1) return [{ text: texts.validatedOnce, at: first }]
  return [
    { text: texts.lastValidated(count), at: last },
    { text: texts.firstValidated, at: first },
  ]
}

/** What happened, newest first. */
function buildTimeline(
  texts: Texts,
  fieldLabel: (field: string) => string,
  { purchase, history }: ConsolePurchaseDetail,
): TimelineEntry[] {
  const { created, validations, changes } = history
  const initialState = changes.some(({ fields }) => fields.length === 0) ? 'active' : purchase.state
  const entries = [
    ...changes.map(({ state, fields, by, at }) => ({
      text: `${fields.length > 0 ? texts.edited(fields.map(fieldLabel).join(', ')) : texts.changed[state]} ${actorText(texts, by)}`,
      at,
    })),
    ...validationEntries(texts, validations),
    ...(created
      ? [
          {
            text: `${created.manual ? texts.recorded : texts.imported[initialState]} ${actorText(texts, created.by)}`,
            at: created.at,
          },
        ]
      : []),
    { text: texts.sold, at: purchase.date },
  ]
  return entries.sort((one, other) => Date.parse(other.at) - Date.parse(one.at))
}

/** Explains how current the validations are, or that there are none. */
function validationNote(texts: Texts, validations: PurchaseValidations | null): string {
  if (!validations) return texts.validationsUnavailable
  return validations.count === 0 ? texts.neverValidated : texts.validationsMayLag
}

export function PurchaseHistory({ detail }: { detail: ConsolePurchaseDetail }) {
  const { t } = useLanguage()
  const texts = usePurchaseTexts().history
  const labels: Readonly<Record<string, string>> = t.purchases.fields
  const fieldLabel = (field: string) => labels[field] ?? field
  return (
    <section className={styles.section}>
      <h3>{texts.title}</h3>
      <Table
        cards
        caption={texts.title}
        rows={buildTimeline(texts, fieldLabel, detail)}
        rowKey={({ text, at }) => `${text} ${at}`}
        columns={[
          { name: texts.what, cell: ({ text }) => text },
          {
            name: t.purchases.fields.date,
            number: true,
            unlabelled: true,
            cell: ({ at }) => <ExactTime at={at} />,
          },
        ]}
      />
      <p className="muted">
        {detail.history.shortened && `${texts.shortened} `}
        {validationNote(texts, detail.history.validations)} {texts.timeZone(timezone())}
      </p>
    </section>
  )
}
