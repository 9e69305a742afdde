import type { Locale, Shape } from '@saleproof/schema/constants'
import { useAccountMutation } from '../../api/queries.ts'
import { useSignedIn } from '../../api/session.ts'
import { useWorkspace } from '../../app/workspace.ts'
import { useLanguage } from '../../i18n/language.tsx'
import { fieldErrorText } from '../../ui/error-state.tsx'
import { SelectField, TextField } from '../../ui/field.tsx'
import { FieldRow, FormCard, FormHeading, useDraft } from '../../ui/form.tsx'
import { toOptions } from '../../ui/options.ts'
import { Page } from '../../ui/page.tsx'

export default function WorkspacePage() {
  const { t } = useLanguage()
  const { service } = useSignedIn()
  const { slug, name, shape, locale } = useWorkspace()
  const save = useAccountMutation('updateWorkspace')
  const { draft, change } = useDraft<{ name: string; shape: Shape | null; locale: Locale | null }>(
    { name, shape, locale },
    save.reset,
  )
  const texts = t.settings.workspace
  return (
    <Page title={t.nav.workspace} lead={texts.lead}>
      <FormCard
        title={texts.about}
        action={t.actions.save}
        successText={t.actions.saved}
        mutation={save}
        onSubmit={() => save.mutate({ ...draft, slug })}
      >
        <FieldRow>
          <TextField
            label={texts.name}
            required
            maxLength={100}
            value={draft.name}
            onValueChange={(next) => change({ name: next })}
            error={fieldErrorText(save.error, t, 'name')}
          />
          <TextField code readOnly label={texts.slug} hint={texts.slugHint} value={slug} />
        </FieldRow>
        <FormHeading title={texts.defaults} description={texts.defaultsText} />
        <FieldRow>
          <SelectField
            label={texts.shape}
            hint={texts.shapeHint}
            value={draft.shape ?? ''}
            options={toOptions(texts.shapes, texts.serviceDefault(texts.shapes[service.shape]))}
            onValueChange={(next) => change({ shape: next || null })}
          />
          <SelectField
            label={texts.language}
            value={draft.locale ?? ''}
            options={toOptions(texts.languages, texts.serviceDefault(texts.languages[service.locale]))}
            onValueChange={(next) => change({ locale: next || null })}
          />
        </FieldRow>
      </FormCard>
    </Page>
  )
}
