import type { SalesImport, SalesPreview } from '@saleproof/schema/console'
import { createRejectedRows, type RejectedRows, type SaleField } from '@saleproof/schema/sales-file'
import { saveFile } from '../../app/save-file.ts'
import { useLanguage } from '../../i18n/language.tsx'
import { Button } from '../../ui/button.tsx'
import { DescriptionList } from '../../ui/description-list.tsx'
import { Download } from '../../ui/icons.ts'
import { Notice } from '../../ui/notice.tsx'
import { Card } from '../../ui/page.tsx'
import { Table } from '../../ui/table.tsx'
import styles from './import.module.css'
import { Success } from './import-steps.tsx'
import { useImportTexts } from './texts.ts'

interface SalesOutcomeProps {
  file: File
  preview: SalesPreview
  result: SalesImport
}

/** The rejected rows as CSV, as they are in the file, with what is wrong with each. */
async function takeRejected(file: File, rows: RejectedRows) {
  const take = createRejectedRows(rows)
  return new Blob(['\ufeff', take(new Uint8Array(await file.arrayBuffer())), take()], { type: 'text/csv' })
}

function Problems({ file, preview, result: { outcome, stored } }: SalesOutcomeProps) {
  const texts = useImportTexts()
  const columnName = (field: string | null) => {
    const index = preview.columns[field as SaleField] ?? -1
    return preview.names[index] ?? texts.fields[field as SaleField] ?? field ?? texts.whole
  }
  const problems = outcome.problems.map((problem) => ({ ...problem, column: columnName(problem.field) }))
  return (
    <Card title={texts.problems(outcome.rejected, false)}>
      <div className={styles.before}>
        <Notice tone="warning" live takesFocus={!stored}>
          {texts.problemsText}
        </Notice>
      </div>
      <Table
        cards
        caption={texts.problem}
        rows={problems}
        rowKey={({ field, message }) => `${field} ${message}`}
        columns={[
          { name: texts.field, cell: ({ column }) => column },
          { name: texts.problem, cell: ({ message }) => message },
          {
            name: texts.rows,
            cell: ({ lines, value, others }) =>
              [
                texts.where(lines.length, lines[0] ?? 0),
                ...(others?.[0] ? [texts.andLine(others[0])] : []),
                ...(value ? [`“${value}”`] : []),
              ].join(', '),
          },
        ]}
      />
      <Button
        className={styles.after}
        onClick={async () => {
          const rejected = await takeRejected(file, { ...outcome, problems })
          saveFile(rejected, `problems-${file.name.replace(/\.\w+$/, '')}.csv`)
        }}
      >
        <Download size={18} aria-hidden />
        {texts.download}
      </Button>
    </Card>
  )
}

/** What became, or would become, of each row: all of them add up. */
export function SalesResult(props: SalesOutcomeProps) {
  const { counts, outcome, stored, warnings } = props.result
  const texts = useImportTexts()
  const { format } = useLanguage()
  const { created, updated, unchanged } = counts.purchases
  const skips = Object.entries(outcome.skipped).filter(([, count]) => count > 0)
  const skipped = skips.reduce((sum, [, count]) => sum + count, 0)
  const reasons = skips.map(
    ([reason, count]) => `${format.number(count)} ${texts.skipped[reason as keyof typeof texts.skipped]}`,
  )
  return (
    <>
      {(stored || outcome.rejected === 0) && <Success stored={stored} />}
      {outcome.rejected > 0 && <Problems {...props} />}
      <Card title={texts.balance(outcome.rows, outcome.more)}>
        <DescriptionList
          entries={[
            { label: texts.outcome.created, value: format.number(created) },
            { label: texts.outcome.updated, value: format.number(updated) },
            { label: texts.outcome.unchanged, value: format.number(unchanged) },
            {
              label: texts.outcome.skipped,
              value: format.number(skipped),
            },
            { label: texts.outcome.rejected, value: format.number(outcome.rejected) },
          ]}
        />
        {skipped > 0 && (
          <p className={styles.after}>
            {texts.outcome.skipped}: {reasons.join(', ')}.
          </p>
        )}
        {outcome.partial > 0 && <p className={styles.after}>{texts.partial(outcome.partial)}</p>}
        {outcome.one_code > 0 && <p className={styles.after}>{texts.oneCode(outcome.one_code)}</p>}
        {outcome.kept > 0 && <p className={styles.after}>{texts.kept(outcome.kept)}</p>}
        {warnings > 0 && <p className={styles.after}>{texts.warnings(warnings)}</p>}
        {outcome.sums.length > 0 && (
          <div className={styles.after}>
            <Table
              cards
              caption={texts.sums}
              rows={outcome.sums}
              rowKey={({ currency, state }) => `${currency} ${state}`}
              columns={[
                { name: texts.fields.state, cell: ({ state }) => texts.states[state] },
                { name: texts.sales, number: true, cell: ({ sales }) => format.number(sales) },
                {
                  name: texts.amount,
                  number: true,
                  cell: ({ amount, currency }) => format.money(amount, currency),
                },
              ]}
            />
          </div>
        )}
      </Card>
    </>
  )
}
