import type { ConsoleItemDetail } from '@saleproof/schema/console'
import { Fragment, useState } from 'react'
import { useLocation, useParams } from 'wouter'
import { useWorkspaceList, useWorkspaceMutation, useWorkspaceQuery } from '../../api/queries.ts'
import { useSignedIn } from '../../api/session.ts'
import { storedKey } from '../../api/stored-drafts.ts'
import { paths, pathTo } from '../../app/pages.ts'
import { useWorkspace } from '../../app/workspace.ts'
import { useLanguage } from '../../i18n/language.tsx'
import type { ItemPath } from '../../messages/en/items.ts'
import { ErrorState, editErrorText, recordErrorText } from '../../ui/error-state.tsx'
import { amountPattern, SelectField, TextArea, TextField } from '../../ui/field.tsx'
import { FieldRow, FormCard, FormHeading, useDraft } from '../../ui/form.tsx'
import { PageSkeleton } from '../../ui/loading.tsx'
import { Notice } from '../../ui/notice.tsx'
import { toOptions } from '../../ui/options.ts'
import { Page } from '../../ui/page.tsx'
import {
  type EditedField,
  editedFields,
  type ItemDraft,
  type ItemFieldType,
  isForKind,
  newDraft,
  readValues,
  toDraft,
  toEdit,
  toRecord,
} from './item-fields.ts'

/** The rows of each section. A field that is in none comes last. */
const sections: readonly { title: 'sale' | 'media' | 'search' | undefined; rows: readonly ItemPath[][] }[] = [
  {
    title: undefined,
    rows: [['name', 'id'], ['description'], ['kind', 'version'], ['category', 'sub_category']],
  },
  {
    title: 'sale',
    rows: [
      ['price.regular', 'price.extended', 'currency'],
      ['url', 'demo_link'],
      ['support', 'published_at'],
    ],
  },
  {
    title: 'media',
    rows: [
      ['media.preview_image'],
      ['media.preview_video'],
      ['media.preview_audio'],
      ['media.thumbnail'],
      ['media.screenshots'],
    ],
  },
  { title: 'search', rows: [['options', 'tags']] },
]

const placed = new Set(sections.flatMap(({ rows }) => rows.flat()))
const otherRows = editedFields.flatMap(({ path }) => (placed.has(path) ? [] : [[path]]))

/** What is special about the types that are one line of text. */
const inputs: Readonly<Partial<Record<ItemFieldType, Partial<Parameters<typeof TextField>[0]>>>> = {
  item_id: { inputMode: 'numeric' },
  link: { type: 'url' },
  optional_link: { type: 'url' },
  price: { inputMode: 'decimal', pattern: amountPattern },
  currency: { maxLength: 3 },
  text: { maxLength: 255 },
}

interface ItemFieldProps {
  field: EditedField
  value: string
  onValueChange: (value: string) => void
  error: string | undefined
}

/** The control of a field, by its type. */
function ItemField({ field: { path, type, required, multiline }, ...control }: ItemFieldProps) {
  const { kinds, yes, no, fields, form } = useLanguage().t.items
  const props = { ...control, name: path, label: fields[path], hint: form.hints[path] }
  const choices: Readonly<Record<string, string>> | undefined =
    type === 'item_kind' ? kinds : type === 'boolean' ? { yes, no } : undefined
  if (choices) return <SelectField {...props} options={toOptions(choices)} />
  if (multiline) return <TextArea {...props} rows={3} />
  if (type !== 'timestamp') return <TextField {...props} {...inputs[type]} required={required} />
  // The time of the day stays.
  const [day = '', time = '00:00:00Z'] = control.value.split('T')
  const setDay = (next: string) => control.onValueChange(`${next}T${time}`)
  return <TextField {...props} type="date" required={required} value={day} onValueChange={setDay} />
}

interface ItemFormProps {
  initial: ItemDraft
  /** What is stored of an item that is edited. */
  record?: ConsoleItemDetail['record']
}

function ItemForm({ initial, record }: ItemFormProps) {
  const { t, locale } = useLanguage()
  const { slug } = useWorkspace()
  const [, navigate] = useLocation()
  const create = useWorkspaceMutation('importRecords')
  const edit = useWorkspaceMutation('editItem')
  const save = record ? edit : create
  // What was read is kept with the draft: what others changed meanwhile is a conflict.
  const {
    draft: { read, ...draft },
    change,
    update,
    forget,
    discard,
  } = useDraft({ ...initial, read: record && readValues(record) }, save.reset, [
    storedKey,
    ...(record ? ['item', slug, initial.id] : ['new-item', slug]),
  ])
  // An empty draft holds the time at which it was made.
  const [original, setOriginal] = useState(initial)
  const isChanged = JSON.stringify(draft) !== JSON.stringify(original)
  const discardEdits = () => {
    discard()
    // What is stored by now.
    setOriginal(initial)
  }
  const texts = t.items.form
  const titles = { ...texts, media: t.items.media.title }
  const priceOf = (license: 'regular' | 'extended') =>
    Number.parseFloat(draft[`price.${license}`].replace(',', '.'))
  const isExtendedLower = priceOf('extended') < priceOf('regular')
  const isShown = (path: ItemPath) => (path === 'id' ? !record : isForKind(path, draft.kind))
  const toRow = (row: readonly ItemPath[]) => (
    <FieldRow key={row[0]}>
      {row
        .filter(isShown)
        .flatMap((path) => editedFields.filter((field) => field.path === path))
        .map((field) => (
          <ItemField
            key={field.path}
            field={field}
            value={draft[field.path]}
            onValueChange={(value) => change({ [field.path]: value })}
            error={
              edit.data && read
                ? editErrorText(edit.data, field.path, t, toDraft(read)[field.path])
                : recordErrorText(create.data, field.path)
            }
          />
        ))}
    </FieldRow>
  )
  const leave = () => {
    forget()
    navigate(pathTo(paths.item, { workspace: slug, item: draft.id.trim() }))
  }
  const submit = () =>
    read
      ? edit.mutate(
          { id: initial.id, ...toEdit(draft, read), locale },
          {
            onSuccess: ({ stored, conflicts }) =>
              stored ? leave() : update({ read: { ...read, ...conflicts } }),
          },
        )
      : create.mutate(
          { records: [toRecord(draft)], only_new: true, locale },
          { onSuccess: ({ stored }) => stored && leave() },
        )
  return (
    <FormCard
      title={texts.details}
      action={record ? t.actions.save : texts.create}
      mutation={save}
      onDiscard={isChanged ? discardEdits : undefined}
      problemText={save.data && !save.data.stored ? t.errors.codes.invalid : undefined}
      onSubmit={submit}
    >
      {sections.map(({ title, rows }) => (
        <Fragment key={title}>
          {title && <FormHeading title={titles[title]} />}
          {rows.filter((row) => row.some(isShown)).map(toRow)}
          {title === 'sale' && isExtendedLower && (
            <Notice tone="warning" live>
              {texts.extendedLower}
            </Notice>
          )}
        </Fragment>
      ))}
      {otherRows.map(toRow)}
    </FormCard>
  )
}

/** Creates an item. Its id follows the highest one of the workspace, until another one is chosen. */
export function NewItemPage() {
  const { t } = useLanguage()
  const { slug } = useWorkspace()
  const { account } = useSignedIn()
  const { data, error, refetch } = useWorkspaceList('listItems', { sort: '-id' })
  if (error && !data) return <ErrorState scope="page" error={error} onRetry={refetch} />
  if (!data) return <PageSkeleton />
  const [latest] = data.pages[0]?.items ?? []
  return (
    <Page
      title={t.items.form.newTitle}
      back={{ to: pathTo(paths.items, { workspace: slug }), label: t.nav.items }}
    >
      <ItemForm initial={newDraft(String((latest?.id ?? 1000) + 1), latest?.currency ?? account.currency)} />
    </Page>
  )
}

/** Changes an item. */
export function EditItemPage() {
  const { t } = useLanguage()
  const { slug } = useWorkspace()
  const { item: id = '' } = useParams<{ item: string }>()
  const { data, error, refetch } = useWorkspaceQuery('getItem', { id })
  if (error && !data) return <ErrorState scope="page" error={error} onRetry={refetch} />
  if (!data) return <PageSkeleton />
  return (
    <Page
      title={t.items.form.editTitle(data.item.name)}
      back={{ to: pathTo(paths.item, { workspace: slug, item: id }), label: data.item.name }}
    >
      <ItemForm key={data.item.id} record={data.record} initial={toDraft(readValues(data.record))} />
    </Page>
  )
}
