import type { ConsoleImport } from '@saleproof/schema/console'
import { useRef, useState } from 'react'
import { useWorkspaceMutation } from '../../api/queries.ts'
import { paths, pathTo } from '../../app/pages.ts'
import { useWorkspace } from '../../app/workspace.ts'
import { useLanguage } from '../../i18n/language.tsx'
import { LinkButton } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Card, Page } from '../../ui/page.tsx'
import { Table } from '../../ui/table.tsx'
import styles from './import.module.css'
import { ImportSteps } from './import-steps.tsx'
import { SalesFile } from './sales-file.tsx'

function Problems({ result }: { result: ConsoleImport }) {
  const { t } = useLanguage()
  const texts = t.records
  const { columns } = texts
  return (
    <Card title={texts.problems(result.problems.length, result.more)} description={texts.problemsText}>
      <Table
        cards
        compact
        caption={texts.problemsTitle}
        rows={result.problems}
        rowKey={({ line, field, message }) => `${line} ${field} ${message}`}
        columns={[
          { name: columns.line, cell: ({ line }) => line },
          { name: columns.field, cell: ({ field }) => field },
          { name: columns.problem, cell: ({ message }) => message },
        ]}
      />
    </Card>
  )
}

function Outcome({ result }: { result: ConsoleImport }) {
  const { t } = useLanguage()
  const { slug } = useWorkspace()
  const { items, purchases } = result.counts
  if (result.problems.length > 0) return <Problems result={result} />
  return (
    <Notice tone={result.stored ? 'success' : 'info'} live takesFocus>
      <p>{result.stored ? t.records.done : t.records.checked}</p>
      <p>
        {t.records.counts(
          items.created + purchases.created,
          items.updated + purchases.updated,
          items.unchanged + purchases.unchanged,
        )}
      </p>
      {result.warnings.length > 0 && <p>{t.records.warnings(result.warnings.length)}</p>}
      {result.stored && (
        <LinkButton small to={pathTo(paths.purchases, { workspace: slug })}>
          {t.purchases.title}
        </LinkButton>
      )}
    </Notice>
  )
}

/** Imports records of the import format: all of them, or none. */
function RecordsFile({ file }: { file: File }) {
  const { t, locale } = useLanguage()
  const run = useWorkspaceMutation('importRecords')
  return (
    <>
      <ImportSteps
        text={file.name}
        submitText={t.records.submit}
        isReady
        isChecked={run.data?.problems.length === 0 && !run.data.stored}
        run={run}
        onStart={(dryRun, signal) => run.mutate({ records: file, dry_run: dryRun, locale, signal })}
      />
      {run.data && <Outcome result={run.data} />}
    </>
  )
}

// The service takes no more.
const maxBytes = 16 * 1024 * 1024

/** Reads a file at once: browsers refuse to send one that was changed since it was chosen. */
async function read(chosen: File) {
  // One byte too many tells the service.
  const bytes = await chosen.slice(0, maxBytes + 1).arrayBuffer()
  const file = new File([bytes], chosen.name)
  return { file, isRecords: /^\s*\{/.test(await file.slice(0, 1024).text()) }
}

/** Brings sales and items in from a file, which the service checks and stores. */
export default function ImportPage() {
  const { t } = useLanguage()
  const { slug } = useWorkspace()
  const choices = useRef(0)
  // Without a file where it cannot be read.
  const [chosen, setChosen] = useState<{ number: number; file?: File; isRecords?: boolean }>()
  const choose = async (chosenFile: File | undefined) => {
    if (!chosenFile) return
    choices.current += 1
    const number = choices.current
    const result = await read(chosenFile).catch(() => undefined)
    // A later choice may have been read sooner.
    if (number === choices.current) setChosen({ number, ...result })
  }
  const Chosen = chosen?.isRecords ? RecordsFile : SalesFile
  return (
    <Page
      title={t.records.title}
      lead={t.records.lead}
      back={{ to: pathTo(paths.purchases, { workspace: slug }), label: t.purchases.title }}
    >
      <Card>
        <label className={styles.file}>
          <span>{t.records.file}</span>
          <input
            type="file"
            // The same file, corrected, can be chosen again.
            onClick={(event) => {
              event.currentTarget.value = ''
            }}
            accept=".csv,.tsv,.txt,.ndjson,.jsonl,text/csv,application/x-ndjson"
            onChange={(event) => void choose(event.target.files?.[0])}
          />
        </label>
        <p className="muted">{t.records.fileHint}</p>
      </Card>
      {/* The key forgets what was chosen for the file before. */}
      {chosen?.file && <Chosen key={chosen.number} file={chosen.file} />}
      {chosen && !chosen.file && (
        <Notice key={chosen.number} tone="error">
          {t.records.unreadable}
        </Notice>
      )}
    </Page>
  )
}
