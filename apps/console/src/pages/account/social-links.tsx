import { useLanguage } from '../../i18n/language.tsx'
import { Button } from '../../ui/button.tsx'
import { fieldErrorText } from '../../ui/error-state.tsx'
import { TextField } from '../../ui/field.tsx'
import { Plus, Trash2 } from '../../ui/icons.ts'
import styles from './account.module.css'
import type { SocialLink } from './profile-draft.ts'

interface SocialLinksProps {
  links: readonly SocialLink[]
  error: unknown
  onChange: (links: readonly SocialLink[]) => void
}

export function SocialLinks({ links, error, onChange }: SocialLinksProps) {
  const { t } = useLanguage()
  const texts = t.settings.account
  const change = (key: number, changes: Partial<SocialLink>) =>
    onChange(links.map((row) => (row.key === key ? { ...row, ...changes } : row)))
  const add = () => {
    const key = Math.max(-1, ...links.map((row) => row.key)) + 1
    onChange([...links, { key, network: '', link: '' }])
  }
  return (
    <fieldset className={styles.links}>
      <legend>{texts.links}</legend>
      {links.map(({ key, network, link }) => (
        <div key={key} className={styles.link}>
          <TextField
            hideLabel
            label={texts.network}
            placeholder={texts.network}
            value={network}
            onValueChange={(value) => change(key, { network: value })}
            error={fieldErrorText(error, t, 'profile.social_links')}
          />
          <TextField
            hideLabel
            type="url"
            label={texts.linkLabel(network || texts.unnamed)}
            placeholder="https://"
            value={link}
            onValueChange={(value) => change(key, { link: value })}
            error={fieldErrorText(error, t, `profile.social_links.${network.trim()}`)}
          />
          <Button
            iconOnly
            variant="quiet"
            aria-label={texts.removeLink(network || texts.unnamed)}
            onClick={() => onChange(links.filter((row) => row.key !== key))}
          >
            <Trash2 size={18} aria-hidden />
          </Button>
        </div>
      ))}
      <Button small className={styles.add} onClick={add}>
        <Plus size={16} aria-hidden />
        {texts.addLink}
      </Button>
    </fieldset>
  )
}
