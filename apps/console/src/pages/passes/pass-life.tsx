import { passHours } from '@saleproof/schema/console/constants'
import { useAccountMutation } from '../../api/queries.ts'
import { useWorkspace } from '../../app/workspace.ts'
import { useLanguage } from '../../i18n/language.tsx'
import { SelectField } from '../../ui/field.tsx'
import { FormCard, useDraft } from '../../ui/form.tsx'

const choices = [1, 6, 24, 72, 168, 336, 720, passHours.max]

/** How long a program may believe a pass. */
export function PassLife() {
  const { t } = useLanguage()
  const { slug, pass_hours: hours } = useWorkspace()
  const save = useAccountMutation('updateWorkspace')
  const { draft, change } = useDraft({ hours: hours ?? passHours.default }, save.reset)
  const texts = t.settings.passes
  const offered = [...new Set([...choices, draft.hours])].sort((one, other) => one - other)
  return (
    <FormCard
      title={texts.life}
      description={texts.lifeText}
      action={t.actions.save}
      successText={t.actions.saved}
      mutation={save}
      onSubmit={() => save.mutate({ slug, pass_hours: draft.hours })}
    >
      <SelectField
        label={texts.lifeLabel}
        value={String(draft.hours)}
        options={offered.map((count) => ({ value: String(count), label: texts.hours(count) }))}
        onValueChange={(next) => change({ hours: Number(next) })}
      />
    </FormCard>
  )
}
