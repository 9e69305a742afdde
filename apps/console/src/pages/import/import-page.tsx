import type { ConsoleImport, ImportedRecord } from '@saleproof/schema/console'
import { useRef, useState } from 'react'
import { useWorkspaceMutation } from '../../api/queries.ts'
import { paths, pathTo } from '../../app/pages.ts'
import { useWorkspace } from '../../app/workspace.ts'
import { useLanguage } from '../../i18n/language.tsx'
import { Button, LinkButton } from '../../ui/button.tsx'
import { ErrorNotice } from '../../ui/error-state.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Card, Page } from '../../ui/page.tsx'
import { Table } from '../../ui/table.tsx'
import styles from './import.module.css'
import { type ReadFile, readFile } from './read-file.ts'
import { SalesFile } from './sales-file.tsx'

interface Prepared {
  records: ImportedRecord[]
  /** The line of each record in the file. */
  lines: number[]
}

function Problems({ result, lines }: { result: ConsoleImport; lines: readonly number[] }) {
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
        rowKey={({ record, field, message }) => `${record} ${field} ${message}`}
        columns={[
          { name: columns.line, cell: ({ record }) => lines[record] },
          { name: columns.field, cell: ({ field }) => field },
          { name: columns.problem, cell: ({ message }) => message },
        ]}
      />
    </Card>
  )
}

function Outcome({ result, lines }: { result: ConsoleImport; lines: readonly number[] }) {
  const { t } = useLanguage()
  const { slug } = useWorkspace()
  const { items, purchases } = result.counts
  if (result.problems.length > 0) return <Problems result={result} lines={lines} />
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

/** Imports the records after they were checked: what is wrong is shown first, and nothing is half done. */
function ImportActions({ records, lines }: Prepared) {
  const { t, locale } = useLanguage()
  const run = useWorkspaceMutation('importRecords')
  const abort = useRef<AbortController>(null)
  const start = (dryRun: boolean) => {
    abort.current = new AbortController()
    run.mutate({ records, dry_run: dryRun, locale, signal: abort.current.signal })
  }
  const isChecked = run.data !== undefined && run.data.problems.length === 0
  const isStopped = run.isError && abort.current?.signal.aborted
  return (
    <>
      <Card>
        <div className={styles.actions}>
          <p>{t.records.found(records.length)}</p>
          <Button busy={run.isPending} onClick={() => start(true)}>
            {t.records.check}
          </Button>
          <Button
            variant="primary"
            busy={run.isPending}
            disabled={!isChecked || run.data?.stored}
            onClick={() => start(false)}
          >
            {t.records.submit}
          </Button>
          {run.isPending && <Button onClick={() => abort.current?.abort()}>{t.records.stop}</Button>}
        </div>
        {run.isPending && <progress className={styles.progress} aria-label={t.records.running} />}
      </Card>
      {isStopped ? (
        <Notice tone="info" live>
          {t.records.stopped}
        </Notice>
      ) : (
        <ErrorNotice error={run.error} />
      )}
      {run.data && <Outcome result={run.data} lines={lines} />}
    </>
  )
}

/** Brings sales and items in from a file, which the service checks and stores. */
export default function ImportPage() {
  const { t } = useLanguage()
  const { slug } = useWorkspace()
  const [chosen, setChosen] = useState<{ number: number; read: ReadFile }>()
  const choose = async (file: File | undefined) => {
    if (!file) return
    const read = await readFile(file)
    setChosen((before) => ({ number: (before?.number ?? 0) + 1, read }))
  }
  const read = chosen?.read
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
            accept=".csv,.tsv,.txt,.ndjson,.jsonl,text/csv,application/x-ndjson"
            onChange={(event) => void choose(event.target.files?.[0])}
          />
        </label>
        <p className="muted">{t.records.fileHint}</p>
      </Card>
      {read?.kind === 'unreadable' && (
        <Notice tone="error" live>
          {t.records.unreadable(read.line)}
        </Notice>
      )}
      {/* The keys forget what was chosen for the file before. */}
      {read?.kind === 'sales' && <SalesFile key={chosen?.number} file={read.file} />}
      {read?.kind === 'records' && <ImportActions key={chosen?.number} {...read} />}
    </Page>
  )
}
