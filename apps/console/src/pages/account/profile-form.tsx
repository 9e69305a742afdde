import { useState } from 'react'
import { useAccountMutation } from '../../api/queries.ts'
import { useSignedIn } from '../../api/session.ts'
import { useLanguage } from '../../i18n/language.tsx'
import { fieldErrorText } from '../../ui/error-state.tsx'
import { PasswordField, TextArea, TextField } from '../../ui/field.tsx'
import { FieldRow, FormCard, FormHeading, useDraft } from '../../ui/form.tsx'
import { isChanged, type ProfileDraft, toDraft, toRequest } from './profile-draft.ts'
import { SocialLinks } from './social-links.tsx'

export function ProfileForm() {
  const { t } = useLanguage()
  const { account } = useSignedIn()
  const save = useAccountMutation('updateAccount')
  const { draft, change, forget, discard } = useDraft(toDraft(account), save.reset, 'profile')
  // Not part of the draft: a password is not kept when the page is left.
  const [password, setPassword] = useState('')
  const texts = t.settings.account
  /** The props of a text field: its value in the draft, and the error of its path in the request. */
  const field = (name: Exclude<keyof ProfileDraft, 'links'>, path: string) => ({
    value: draft[name],
    onValueChange: (value: string) => change({ [name]: value }),
    error: fieldErrorText(save.error, t, path),
  })
  const saved = () => {
    forget()
    setPassword('')
  }
  const submit = () => save.mutate(toRequest(draft, account, password), { onSuccess: saved })
  return (
    <FormCard
      title={texts.person}
      action={t.actions.save}
      successText={t.actions.saved}
      mutation={save}
      onDiscard={isChanged(draft, account) ? discard : undefined}
      onSubmit={submit}
    >
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
          value={password}
          onValueChange={setPassword}
          error={fieldErrorText(save.error, t, 'current_password')}
        />
      )}
      <FormHeading title={texts.profile} />
      <TextField label={texts.heading} {...field('heading', 'profile.heading')} />
      <TextArea rows={3} label={texts.description} {...field('description', 'profile.description')} />
      <TextField type="email" label={texts.contact} {...field('contact', 'profile.contact.email')} />
      <FieldRow>
        <TextField type="url" label={texts.avatar} {...field('avatar', 'profile.media.avatar')} />
        <TextField type="url" label={texts.cover} {...field('cover', 'profile.media.cover')} />
      </FieldRow>
      <SocialLinks links={draft.links} error={save.error} onChange={(links) => change({ links })} />
    </FormCard>
  )
}
