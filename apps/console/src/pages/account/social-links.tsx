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
  const change = (key: number, part: Partial<SocialLink>) =>
    onChange(links.map((each) => (each.key === key ? { ...each, ...part } : each)))
  const add = () => {
    const key = Math.max(-1, ...links.map((each) => each.key)) + 1
    onChange([...links, { key, network: '', link: '' }])
  }
  return (
    <fieldset className={styles.links}>
      <legend>{texts.links}</legend>
      {links.map(({ key, network, link }) => (
        <div key={key} className={styles.link}>
          <TextField
            quiet
            label={texts.network}
            placeholder={texts.network}
            value={network}
            onChange={(event) => change(key, { network: event.target.value })}
            error={fieldErrorText(error, t, 'profile.social_links')}
          />
          <TextField
            quiet
            type="url"
            label={texts.linkOf(network || texts.unnamed)}
            placeholder="https://"
            value={link}
            onChange={(event) => change(key, { link: event.target.value })}
            error={fieldErrorText(error, t, `profile.social_links.${network.trim()}`)}
          />
          <Button
            icon
            variant="quiet"
            aria-label={texts.removeLink(network || texts.unnamed)}
            onClick={() => onChange(links.filter((each) => each.key !== key))}
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
