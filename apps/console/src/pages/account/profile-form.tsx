import { useState } from 'react'
import { useAccountMutation } from '../../api/queries.ts'
import { useSignedIn } from '../../api/session.ts'
import { storedKey } from '../../api/stored-drafts.ts'
import { useLanguage } from '../../i18n/language.tsx'
import { fieldErrorText } from '../../ui/error-state.tsx'
import { PasswordField, TextArea, TextField } from '../../ui/field.tsx'
import { FieldRow, FormCard, FormHeading, useDraft } from '../../ui/form.tsx'
import { isChanged, textAt, toDraft, toRequest, withText } from './profile-draft.ts'
import { SocialLinks } from './social-links.tsx'

export function ProfileForm() {
  const { t } = useLanguage()
  const { account } = useSignedIn()
  const save = useAccountMutation('updateAccount')
  const { draft, change, forget, discard } = useDraft(toDraft(account), save.reset, [storedKey, 'profile'])
  // Not part of the draft: a password is not kept when the page is left.
  const [password, setPassword] = useState('')
  const texts = t.settings.account
  /** The props of a text field, by its path in the request. */
  const field = (path: string) => ({
    value: textAt(draft, path),
    onValueChange: (text: string) => change(withText(draft, path, text)),
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
        <TextField label={texts.firstname} autoComplete="given-name" {...field('name.firstname')} />
        <TextField label={texts.lastname} autoComplete="family-name" {...field('name.lastname')} />
      </FieldRow>
      <FieldRow>
        <TextField label={texts.fullName} autoComplete="name" {...field('name.full_name')} />
        <TextField type="email" label={texts.email} autoComplete="email" required {...field('email')} />
      </FieldRow>
      {draft.email !== account.email && (
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
      <TextField label={texts.heading} {...field('profile.heading')} />
      <TextArea rows={3} label={texts.description} {...field('profile.description')} />
      <TextField type="email" label={texts.contact} {...field('profile.contact.email')} />
      <FieldRow>
        <TextField type="url" label={texts.avatar} {...field('profile.media.avatar')} />
        <TextField type="url" label={texts.cover} {...field('profile.media.cover')} />
      </FieldRow>
      <SocialLinks links={draft.links} error={save.error} onChange={(links) => change({ links })} />
    </FormCard>
  )
}
