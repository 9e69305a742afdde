import { useSignedIn } from '../../api/session.ts'
import { useLanguage } from '../../i18n/language.tsx'
import { LanguageSelect, ThemeSelect } from '../../ui/appearance.tsx'
import { DescriptionList } from '../../ui/description-list.tsx'
import { Card, Page } from '../../ui/page.tsx'
import { ShortDate } from '../../ui/time.tsx'
import styles from './account.module.css'
import { PasswordForm } from './password-form.tsx'
import { ProfileForm } from './profile-form.tsx'
import { SessionsCard } from './sessions-card.tsx'

export default function AccountPage() {
  const { t, format } = useLanguage()
  const { account } = useSignedIn()
  const texts = t.settings.account
  const { appearance } = t.settings
  return (
    <Page title={t.nav.account} lead={texts.lead}>
      <Card title={appearance.title} description={appearance.text}>
        <div className={styles.appearance}>
          <LanguageSelect />
          <ThemeSelect />
        </div>
      </Card>
      <Card>
        <DescriptionList
          entries={[
            { label: texts.username, value: account.username },
            { label: texts.balance, value: format.money(account.balance, account.currency) },
            { label: texts.registered, value: <ShortDate at={account.registered_at} /> },
          ]}
        />
      </Card>
      <ProfileForm />
      <PasswordForm />
      <SessionsCard />
    </Page>
  )
}
