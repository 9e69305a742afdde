import { itemKinds } from '@saleproof/schema/constants'
import { useState } from 'react'
import { useLocation, useParams } from 'wouter'
import { useWorkspaceList, useWorkspaceMutation, useWorkspaceQuery } from '../../api/queries.ts'
import { useSignedIn } from '../../api/session.ts'
import { paths, pathTo } from '../../app/pages.ts'
import { useWorkspace } from '../../app/workspace.ts'
import { useLanguage } from '../../i18n/language.tsx'
import { ErrorState, recordErrorText } from '../../ui/error-state.tsx'
import { SelectField, TextArea, TextField } from '../../ui/field.tsx'
import { FieldRow, FormCard, FormHeading, useDraft } from '../../ui/form.tsx'
import { PageSkeleton } from '../../ui/loading.tsx'
import { Page } from '../../ui/page.tsx'
import { draftOf, emptyDraft, type ItemDraft, recordOf } from './item-draft.ts'

/** The fields that hold one line of text: their name, and the field of the record that the service checks. */
type TextName = Exclude<keyof ItemDraft, 'kind' | 'support' | 'description' | 'screenshots' | 'publishedTime'>

const fieldOf: Readonly<Partial<Record<keyof ItemDraft, string>>> = {
  regular: 'price.regular',
  extended: 'price.extended',
  thumbnail: 'media.thumbnail',
  preview_image: 'media.preview_image',
  preview_video: 'media.preview_video',
  preview_audio: 'media.preview_audio',
  screenshots: 'media.screenshots',
  published: 'published_at',
}

interface ItemFormProps {
  initial: ItemDraft
  isNew: boolean
}

function ItemForm({ initial, isNew }: ItemFormProps) {
  const { t, locale } = useLanguage()
  const { slug } = useWorkspace()
  const [, navigate] = useLocation()
  const save = useWorkspaceMutation('importRecords')
  const { draft, change, forget, discard } = useDraft(
    initial,
    save.reset,
    isNew ? `new-item ${slug}` : `item ${slug} ${initial.id}`,
  )
  // An empty draft holds the time at which it was made.
  const [original] = useState(initial)
  const isChanged = JSON.stringify(draft) !== JSON.stringify(original)
  const texts = t.items.form
  const errorOf = (name: keyof ItemDraft) => recordErrorText(save.data, fieldOf[name] ?? name)
  const text = (name: TextName, more: Partial<Parameters<typeof TextField>[0]> = {}) => (
    <TextField
      {...more}
      label={texts.fields[name]}
      hint={texts.hints[name]}
      name={name}
      value={draft[name]}
      onValueChange={(value) => change({ [name]: value })}
      error={errorOf(name)}
    />
  )
  const submit = () =>
    save.mutate(
      { records: [recordOf(draft)], only_new: isNew, locale },
      {
        onSuccess: ({ stored }) => {
          if (!stored) return
          forget()
          navigate(pathTo(paths.item, { workspace: slug, item: draft.id.trim() }))
        },
      },
    )
  return (
    <FormCard
      title={texts.details}
      action={isNew ? texts.create : t.actions.save}
      mutation={save}
      onDiscard={isChanged ? discard : undefined}
      problemText={save.data && !save.data.stored ? t.errors.codes.invalid : undefined}
      onSubmit={submit}
    >
      <FieldRow>
        {text('name', { required: true, maxLength: 255 })}
        {isNew && text('id', { required: true, inputMode: 'numeric' })}
      </FieldRow>
      <TextArea
        label={texts.fields.description}
        rows={4}
        value={draft.description}
        onValueChange={(description) => change({ description })}
        error={errorOf('description')}
      />
      <FieldRow>
        <SelectField
          label={texts.fields.kind}
          value={draft.kind}
          options={itemKinds.map((value) => ({ value, label: t.items.kinds[value] }))}
          onValueChange={(kind) => change({ kind })}
        />
        {text('version', { required: true })}
      </FieldRow>
      <FieldRow>
        {text('category')}
        {text('sub_category')}
      </FieldRow>
      <FormHeading title={texts.sale} />
      <FieldRow>
        {text('regular', { required: true, inputMode: 'decimal' })}
        {text('extended', { required: true, inputMode: 'decimal' })}
        {text('currency', { required: true, maxLength: 3 })}
      </FieldRow>
      <FieldRow>
        {text('url', { required: true, type: 'url' })}
        {text('demo_link', { type: 'url' })}
      </FieldRow>
      <FieldRow>
        <SelectField
          label={texts.fields.support}
          value={draft.support}
          options={[
            { value: 'yes', label: t.items.yes },
            { value: 'no', label: t.items.no },
          ]}
          onValueChange={(support) => change({ support })}
        />
        {text('published', { required: true, type: 'date' })}
      </FieldRow>
      <FormHeading title={t.items.media.title} />
      {text('preview_image', { required: true, type: 'url' })}
      {draft.kind === 'video' && text('preview_video', { required: true, type: 'url' })}
      {draft.kind === 'audio' && text('preview_audio', { required: true, type: 'url' })}
      {text('thumbnail', { type: 'url' })}
      <TextArea
        label={texts.fields.screenshots}
        hint={texts.hints.screenshots}
        rows={3}
        value={draft.screenshots}
        onValueChange={(screenshots) => change({ screenshots })}
        error={errorOf('screenshots')}
      />
      <FormHeading title={texts.search} />
      <FieldRow>
        {text('options')}
        {text('tags')}
      </FieldRow>
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
      back={{ to: pathTo(paths.items, { workspace: slug }), label: t.items.title }}
    >
      <ItemForm
        isNew
        initial={emptyDraft(String((latest?.id ?? 1000) + 1), latest?.currency ?? account.currency)}
      />
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
      <ItemForm key={data.item.id} isNew={false} initial={draftOf(data)} />
    </Page>
  )
}
