import type { SalesChoices, SalesPreview, SalesPreviewRequest } from '@saleproof/schema/console'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useApi } from '../../api/context.ts'
import { useWorkspaceMutation } from '../../api/queries.ts'
import { useWorkspace } from '../../app/workspace.ts'
import { useLanguage } from '../../i18n/language.tsx'
import { timezone } from '../../i18n/languages.ts'
import { ErrorNotice } from '../../ui/error-state.tsx'
import { SelectField } from '../../ui/field.tsx'
import { Skeleton } from '../../ui/loading.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Card } from '../../ui/page.tsx'
import { ImportSteps } from './import-steps.tsx'
import { type Answers, listQuestions, SalesAnswers } from './sales-answers.tsx'
import { SalesColumns } from './sales-columns.tsx'
import { type ItemAnswers, SalesItems } from './sales-items.tsx'
import { SalesResult } from './sales-outcome.tsx'
import { useImportTexts } from './texts.ts'

type Read = Omit<SalesChoices, 'dry_run' | 'skip_invalid' | 'locale'>

function toChoices(file: File, preview: SalesPreview, answers: Answers, items: ItemAnswers): Read {
  const { dates, codes, time_zone: zone, ...values } = answers
  const { columns, profile } = preview
  const matched = Object.entries(items).filter(([, answer]) => /^\d+$/.test(answer))
  const added = preview.items.filter(({ text }) => items[text] === 'new')
  const given = Object.entries(values).filter(([, value]) => value.trim() !== '')
  return {
    file: file.name,
    profile,
    columns,
    values: Object.fromEntries(given),
    items: Object.fromEntries(matched.map(([text, id]) => [text, Number(id)])),
    new_items: Object.fromEntries(added.map(({ text, name }) => [text, name || text])),
    dates: dates || (preview.dates ?? 'dmy'),
    time_zone: zone.trim(),
    ...(codes && { codes }),
  }
}

const itemAnswers = ({ items }: SalesPreview): ItemAnswers =>
  Object.fromEntries(items.map(({ text, item }) => [text, item ? String(item.id) : '']))

interface ActionsProps {
  file: File
  preview: SalesPreview
  choices: Read
  /** What has to be answered first. */
  missing: readonly string[]
}

/** Checks first; what is right is imported, also where other rows have problems. */
function SalesActions({ file, preview, choices, missing }: ActionsProps) {
  const texts = useImportTexts()
  const { t, locale, format } = useLanguage()
  const run = useWorkspaceMutation('importSales')
  const good = run.data?.outcome.good ?? 0
  const hasProblems = (run.data?.outcome.rejected ?? 0) > 0
  return (
    <>
      <ImportSteps
        text={
          missing.length > 0
            ? texts.first(new Intl.ListFormat(format.tag).format(missing))
            : texts.recognized(preview.title, preview.rows)
        }
        submitText={hasProblems ? texts.submitGood(good) : t.nav.import}
        isReady={missing.length === 0}
        isChecked={run.data !== undefined && !run.data.stored && good > 0}
        run={run}
        onStart={(dryRun, signal) => {
          const settings = { skip_invalid: !dryRun, dry_run: dryRun, locale }
          run.mutate({ file, choices: { ...choices, ...settings }, signal })
        }}
      />
      {run.data && <SalesResult file={file} preview={preview} result={run.data} />}
    </>
  )
}

/** Imports the file of a shop: the service says how it reads it, and everything can be changed. */
export function SalesFile({ file }: { file: File }) {
  const texts = useImportTexts()
  const api = useApi()
  const { slug } = useWorkspace()
  const [asked, setAsked] = useState<SalesPreviewRequest>({})
  const [answers, setAnswers] = useState<Answers>({
    currency: '',
    license_type: '',
    price: '',
    dates: '',
    codes: '',
    time_zone: timezone(),
  })
  const [items, setItems] = useState<ItemAnswers>({})
  const { data: preview, error } = useQuery({
    queryKey: ['sales-preview', slug, file.name, file.size, file.lastModified, asked],
    queryFn: ({ signal }) => api('previewSales', { slug, file, choices: asked }, signal),
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
  })
  if (error) return <ErrorNotice error={error} />
  if (!preview) return <Skeleton height="12rem" />
  if (preview.rows === 0) return <Notice tone="error">{texts.noRows}</Notice>
  const allItems = { ...itemAnswers(preview), ...items }
  const profiles = preview.profiles.map(({ name, title }) => ({
    value: name,
    label: name === 'none' ? texts.anyFile : title,
  }))
  const choices = toChoices(file, preview, answers, allItems)
  const questions = listQuestions(preview, texts)
  const missing = questions.filter(({ name, required }) => required && answers[name].trim() === '')
  return (
    <>
      <Card title={texts.recognized(preview.title, preview.rows)}>
        <SelectField
          label={texts.from}
          value={preview.profile}
          options={profiles}
          onValueChange={(profile) => setAsked({ profile })}
        />
      </Card>
      <SalesColumns
        preview={preview}
        onChange={(columns) => setAsked({ profile: preview.profile, columns })}
      />
      <SalesAnswers questions={questions} answers={answers} onChange={setAnswers} />
      {preview.items.length > 0 && <SalesItems preview={preview} answers={allItems} onChange={setItems} />}
      {/* The key forgets the result of what was chosen before. */}
      <SalesActions
        key={JSON.stringify(choices)}
        file={file}
        preview={preview}
        choices={choices}
        missing={[
          ...missing.map(({ label }) => label),
          ...(preview.columns.date < 0 ? [texts.fields.date] : []),
        ]}
      />
    </>
  )
}
