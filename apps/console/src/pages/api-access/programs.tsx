import { Tabs } from '@base-ui/react/tabs'
import { useSignedIn } from '../../api/session.ts'
import { useLanguage } from '../../language/language.tsx'
import { Code } from '../../ui/code.tsx'
import { Card } from '../../ui/page.tsx'
import styles from './api-access.module.css'
import { programsFor } from './programs.ts'

export function Programs() {
  const { t } = useLanguage()
  const { service } = useSignedIn()
  const { snippets } = t.keys
  const programs = programsFor(service.public_url, snippets)
  return (
    <Card title={snippets.title}>
      <p className={styles.lead}>{snippets.lead}</p>
      <Tabs.Root defaultValue={programs[0].id}>
        <Tabs.List className={styles.tabs} aria-label={snippets.tabs}>
          {programs.map(({ id, name }) => (
            <Tabs.Tab key={id} value={id} className={styles.tab}>
              {name}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {programs.map(({ id, name, text }) => (
          <Tabs.Panel key={id} value={id}>
            <Code label={name} copyLabel={snippets.copy} text={text} />
          </Tabs.Panel>
        ))}
      </Tabs.Root>
    </Card>
  )
}
