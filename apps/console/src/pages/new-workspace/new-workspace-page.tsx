import { useState } from 'react'
import { useLocation } from 'wouter'
import { useAccountMutation } from '../../api/queries.ts'
import { useSignedIn } from '../../api/session.ts'
import { paths, pathTo } from '../../app/pages.ts'
import { useLanguage } from '../../i18n/language.tsx'
import { fieldErrorText } from '../../ui/error-state.tsx'
import { TextField } from '../../ui/field.tsx'
import { FieldRow, FormCard } from '../../ui/form.tsx'
import { Page } from '../../ui/page.tsx'
import { slugify } from './slug.ts'

export default function NewWorkspacePage() {
  const { t } = useLanguage()
  const { workspaces } = useSignedIn()
  const [, navigate] = useLocation()
  const create = useAccountMutation('createWorkspace')
  const [name, setName] = useState('')
  // Follows the name until it is edited.
  const [editedSlug, setEditedSlug] = useState<string>()
  const slug = editedSlug ?? slugify(name)
  const { newWorkspace: texts, workspace: fields } = t.settings
  const submit = () =>
    create.mutate(
      { name, slug },
      { onSuccess: (workspace) => navigate(pathTo(paths.overview, { workspace: workspace.slug })) },
    )
  return (
    <Page title={workspaces.length > 0 ? t.nav.newWorkspace : texts.firstTitle} lead={texts.lead}>
      <FormCard title={t.nav.newWorkspace} action={texts.submit} mutation={create} onSubmit={submit}>
        <FieldRow>
          <TextField
            label={fields.name}
            hint={texts.nameHint}
            required
            maxLength={100}
            value={name}
            onValueChange={setName}
            error={fieldErrorText(create.error, t, 'name')}
          />
          <TextField
            code
            label={fields.slug}
            hint={fields.slugHint}
            required
            maxLength={64}
            autoCapitalize="none"
            spellCheck={false}
            value={slug}
            onValueChange={setEditedSlug}
            error={fieldErrorText(create.error, t, 'slug')}
          />
        </FieldRow>
      </FormCard>
    </Page>
  )
}
