import { paths, pathTo } from '../../app/pages.ts'
import { useWorkspace } from '../../app/workspace.ts'
import { useLanguage } from '../../i18n/language.tsx'
import { LinkButton } from '../../ui/button.tsx'
import { Card } from '../../ui/page.tsx'
import styles from './overview.module.css'

/** In place of charts that have nothing to show. */
export function GettingStarted() {
  const { t } = useLanguage()
  const { slug } = useWorkspace()
  const { title, text, steps } = t.overview.start
  const shown = [
    [steps.key, paths.apiAccess],
    [steps.code, paths.check],
    [steps.program, paths.apiAccess],
  ] as const
  return (
    <Card className={styles.start ?? ''}>
      <h2>{title}</h2>
      <p>{text}</p>
      <ol className={styles.steps}>
        {shown.map(([step, path], index) => (
          <li key={step.title}>
            <h3>{step.title}</h3>
            <p>{step.text}</p>
            <LinkButton
              small
              variant={index === 0 ? 'primary' : 'plain'}
              to={pathTo(path, { workspace: slug })}
            >
              {step.action}
            </LinkButton>
          </li>
        ))}
      </ol>
    </Card>
  )
}
