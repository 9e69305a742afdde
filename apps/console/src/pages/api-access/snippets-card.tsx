import { useState } from 'react'
import { useSignedIn } from '../../api/session.ts'
import { useLanguage } from '../../i18n/language.tsx'
import { CodeBlock } from '../../ui/code-block.tsx'
import { Card } from '../../ui/page.tsx'
import { SegmentedControl } from '../../ui/segmented-control.tsx'
import styles from './api-access.module.css'
import { snippetsFor } from './snippets.ts'

export function Programs() {
  const { t } = useLanguage()
  const { service } = useSignedIn()
  const { snippets } = t.keys
  const programs = snippetsFor(service.public_url, snippets)
  const [id, choose] = useState<(typeof programs)[number]['id']>('curl')
  const { name, text } = programs.find((each) => each.id === id) ?? programs[0]
  return (
    <Card title={snippets.title}>
      <p className={styles.lead}>{snippets.lead}</p>
      <div className={styles.programs}>
        <SegmentedControl
          label={snippets.tabs}
          value={id}
          choices={programs.map((each) => [each.id, each.name] as const)}
          onChange={choose}
        />
        <CodeBlock label={name} copyLabel={snippets.copy} text={text} />
      </div>
    </Card>
  )
}
