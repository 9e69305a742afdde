import type { ConsoleImport, ImportCount } from '@saleproof/schema/console'
import { useRef, useState } from 'react'
import { useWorkspaceMutation } from '../../api/queries.ts'
import { paths, pathTo } from '../../app/pages.ts'
import { useWorkspace } from '../../app/workspace.ts'
import { useLanguage } from '../../i18n/language.tsx'
import { TextField } from '../../ui/field.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Card, Page } from '../../ui/page.tsx'
import { Table } from '../../ui/table.tsx'
import styles from './import.module.css'
import { ImportSteps, Success } from './import-steps.tsx'
import { SalesFile } from './sales-file.tsx'
import { useImportTexts } from './texts.ts'

function Problems({ problems, more }: ConsoleImport) {
  const texts = useImportTexts()
  const rows = new Set(problems.map(({ line }) => line))
  return (
    <Card title={texts.problems(rows.size, more)} description={texts.nothingText}>
      <Table
        cards
        compact
        caption={texts.problem}
        rows={problems}
        rowKey={({ line, field, message }) => `${line} ${field} ${message}`}
        columns={[
          { name: texts.line, cell: ({ line }) => line },
          { name: texts.field, cell: ({ field }) => field },
          { name: texts.problem, cell: ({ message }) => message },
        ]}
      />
    </Card>
  )
}

function Outcome({ stored, counts: { items, purchases }, warnings }: ConsoleImport) {
  const texts = useImportTexts()
  const sum = (kind: keyof ImportCount) => items[kind] + purchases[kind]
  return (
    <Success stored={stored}>
      <p>{texts.counts(sum('created'), sum('updated'), sum('unchanged'))}</p>
      {warnings.length > 0 && <p>{texts.warnings(warnings.length)}</p>}
    </Success>
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
        submitText={t.nav.import}
        isReady
        isChecked={run.data?.problems.length === 0 && !run.data.stored}
        run={run}
        onStart={(dryRun, signal) => run.mutate({ records: file, dry_run: dryRun, locale, signal })}
      />
      {run.data && (run.data.problems.length > 0 ? <Problems {...run.data} /> : <Outcome {...run.data} />)}
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
  const texts = useImportTexts()
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
      title={t.nav.import}
      lead={texts.lead}
      back={{ to: pathTo(paths.purchases, { workspace: slug }), label: t.nav.purchases }}
    >
      <Card>
        <TextField
          type="file"
          className={styles.file}
          label={texts.file}
          hint={texts.fileHint}
          // The same file, corrected, can be chosen again.
          onClick={(event) => {
            event.currentTarget.value = ''
          }}
          accept=".csv,.tsv,.txt,.ndjson,.jsonl,text/csv,application/x-ndjson"
          onInput={(event) => void choose(event.currentTarget.files?.[0])}
        />
      </Card>
      {/* The key forgets what was chosen for the file before. */}
      {chosen?.file && <Chosen key={chosen.number} file={chosen.file} />}
      {chosen && !chosen.file && (
        <Notice key={chosen.number} tone="error">
          {texts.unreadable}
        </Notice>
      )}
    </Page>
  )
}
