import { useUpdateAccount } from '../../api/account.ts'
import { useSignedIn } from '../../api/session.ts'
import { useLanguage } from '../../i18n/language.tsx'
import { useDraft } from '../../ui/draft.ts'
import { fieldErrorText } from '../../ui/error-state.tsx'
import { PasswordField, TextArea, TextField } from '../../ui/field.tsx'
import { FieldRow, FormCard, FormHeading } from '../../ui/form.tsx'
import { type AccountDraft, draftOf, requestOf } from './profile-draft.ts'
import { SocialLinks } from './social-links.tsx'

type TextMember = Exclude<keyof AccountDraft, 'links'>

/** A draft of the account, and what makes a field of a member of it. */
function useAccountDraft() {
  const { t } = useLanguage()
  const { account } = useSignedIn()
  const save = useUpdateAccount()
  const { draft, change, settle } = useDraft(draftOf(account), save.reset)
  const field = (member: TextMember, ...paths: string[]) => ({
    value: draft[member],
    onChange: (event: { target: { value: string } }) => change({ [member]: event.target.value }),
    error: fieldErrorText(save.error, t, ...paths),
  })
  const submit = () => save.mutate(requestOf(draft, account), { onSuccess: () => settle({ password: '' }) })
  return { account, draft, change, field, save, submit }
}

type Editing = ReturnType<typeof useAccountDraft>

function PersonFields({ account, draft, field }: Editing) {
  const { t } = useLanguage()
  const texts = t.settings.account
  return (
    <>
      <FieldRow>
        <TextField
          label={texts.firstname}
          autoComplete="given-name"
          {...field('firstname', 'name.firstname')}
        />
        <TextField
          label={texts.lastname}
          autoComplete="family-name"
          {...field('lastname', 'name.lastname')}
        />
      </FieldRow>
      <FieldRow>
        <TextField label={texts.fullName} autoComplete="name" {...field('fullName', 'name.full_name')} />
        <TextField
          type="email"
          label={texts.email}
          autoComplete="email"
          required
          {...field('email', 'email')}
        />
      </FieldRow>
      {draft.email.trim() !== account.email && (
        <PasswordField
          label={texts.emailPassword}
          hint={texts.emailPasswordHint}
          autoComplete="current-password"
          required
          {...field('password', 'current_password')}
        />
      )}
    </>
  )
}

function ProfileFields({ draft, change, field, save }: Editing) {
  const { t } = useLanguage()
  const texts = t.settings.account
  return (
    <>
      <FormHeading title={texts.profile} />
      <TextField label={texts.heading} {...field('heading', 'profile.heading')} />
      <TextArea rows={3} label={texts.description} {...field('description', 'profile.description')} />
      <TextField type="email" label={texts.contact} {...field('contact', 'profile.contact.email')} />
      <FieldRow>
        <TextField type="url" label={texts.avatar} {...field('avatar', 'profile.media.avatar')} />
        <TextField type="url" label={texts.cover} {...field('cover', 'profile.media.cover')} />
      </FieldRow>
      <SocialLinks links={draft.links} error={save.error} onChange={(links) => change({ links })} />
    </>
  )
}

export function ProfileForm() {
  const { t } = useLanguage()
  const editing = useAccountDraft()
  return (
    <FormCard
      title={t.settings.account.person}
      action={t.actions.save}
      done={t.actions.saved}
      state={editing.save}
      onSubmit={editing.submit}
    >
      <PersonFields {...editing} />
      <ProfileFields {...editing} />
    </FormCard>
  )
}
