import type { Locale, Shape } from '@saleproof/schema'
import { useUpdateWorkspace } from '../../api/account.ts'
import { useSignedIn } from '../../api/session.ts'
import { useWorkspace } from '../../app/workspace.ts'
import { useLanguage } from '../../i18n/language.tsx'
import { languages } from '../../i18n/languages.ts'
import { useDraft } from '../../ui/draft.ts'
import { fieldErrorText } from '../../ui/error-state.tsx'
import { SelectField, TextField } from '../../ui/field.tsx'
import { FieldRow, FormCard, FormHeading } from '../../ui/form.tsx'
import { Page } from '../../ui/page.tsx'

const shapes = ['base', 'extended'] as const satisfies readonly Shape[]

interface DefaultFieldProps<Value extends string> {
  label: string
  hint?: string
  value: Value | null
  choices: readonly Value[]
  names: Readonly<Record<Value, string>>
  ofService: Value
  onChange: (value: Value | null) => void
}

/** One of a few, or whatever the service has. */
function DefaultField<Value extends string>(props: DefaultFieldProps<Value>) {
  const { t } = useLanguage()
  const { label, hint, value, choices, names, ofService, onChange } = props
  return (
    <SelectField
      label={label}
      hint={hint}
      value={value ?? ''}
      onChange={(event) => onChange(choices.find((each) => each === event.target.value) ?? null)}
    >
      <option value="">{t.settings.workspace.ofService(names[ofService])}</option>
      {choices.map((each) => (
        <option key={each} value={each}>
          {names[each]}
        </option>
      ))}
    </SelectField>
  )
}

export default function WorkspacePage() {
  const { t } = useLanguage()
  const { service } = useSignedIn()
  const { slug, name, shape, locale } = useWorkspace()
  const save = useUpdateWorkspace(slug)
  const { draft, change } = useDraft<{ name: string; shape: Shape | null; locale: Locale | null }>(
    { name, shape, locale },
    save.reset,
  )
  const texts = t.settings.workspace
  const form = { action: t.actions.save, done: t.actions.saved, state: save }
  return (
    <Page title={texts.title} lead={texts.lead}>
      <FormCard {...form} title={texts.about} onSubmit={() => save.mutate(draft)}>
        <FieldRow>
          <TextField
            label={texts.name}
            required
            maxLength={100}
            value={draft.name}
            onChange={(event) => change({ name: event.target.value })}
            error={fieldErrorText(save.error, t, 'name')}
          />
          <TextField code readOnly label={texts.slug} hint={texts.slugHint} value={slug} />
        </FieldRow>
        <FormHeading title={texts.defaults} text={texts.defaultsText} />
        <FieldRow>
          <DefaultField
            label={texts.shape}
            hint={texts.shapeHint}
            value={draft.shape}
            choices={shapes}
            names={texts.shapes}
            ofService={service.shape}
            onChange={(next) => change({ shape: next })}
          />
          <DefaultField
            label={texts.language}
            value={draft.locale}
            choices={languages}
            names={texts.languages}
            ofService={service.locale}
            onChange={(next) => change({ locale: next })}
          />
        </FieldRow>
      </FormCard>
    </Page>
  )
}
