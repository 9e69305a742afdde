import { paths, pathTo } from '../../app/pages.ts'
import { useWorkspace } from '../../app/workspace.ts'
import { useLanguage } from '../../i18n/language.tsx'
import { LinkButton } from '../../ui/button.tsx'
import { Card } from '../../ui/page.tsx'
import styles from './overview.module.css'

/** Shown while there are no validations. */
export function GettingStarted() {
  const { t } = useLanguage()
  const { slug } = useWorkspace()
  const { title, text, steps } = t.overview.gettingStarted
  const rows = [
    { ...steps.key, path: paths.apiAccess },
    { ...steps.code, path: paths.check },
    { ...steps.snippet, path: paths.apiAccess },
  ]
  return (
    <Card className={styles.gettingStarted}>
      <h2>{title}</h2>
      <p>{text}</p>
      <ol className={styles.steps}>
        {rows.map((step, index) => (
          <li key={step.title}>
            <h3>{step.title}</h3>
            <p>{step.text}</p>
            <LinkButton
              small
              variant={index === 0 ? 'primary' : undefined}
              to={pathTo(step.path, { workspace: slug })}
            >
              {step.action}
            </LinkButton>
          </li>
        ))}
      </ol>
    </Card>
  )
}
