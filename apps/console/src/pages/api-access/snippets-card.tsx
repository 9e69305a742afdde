import { useState } from 'react'
import { useSignedIn } from '../../api/session.ts'
import { serviceUrl } from '../../app/service-url.ts'
import { useLanguage } from '../../i18n/language.tsx'
import { CodeBlock } from '../../ui/code-block.tsx'
import { Card } from '../../ui/page.tsx'
import { SegmentedControl } from '../../ui/segmented-control.tsx'
import styles from './api-access.module.css'
import { snippetsFor } from './snippets.ts'

/** Code that validates a purchase code, in the languages of most programs. */
export function Snippets() {
  const { t } = useLanguage()
  const { service } = useSignedIn()
  const texts = t.keys.snippets
  const snippets = snippetsFor(service.public_url, texts.unknown)
  const [selected, setSelected] = useState<keyof typeof snippets>('curl')
  return (
    <div className={styles.snippets}>
      <SegmentedControl
        label={texts.tabs}
        value={selected}
        options={[
          { value: 'curl', label: 'curl' },
          { value: 'JavaScript', label: 'JavaScript' },
          { value: 'PHP', label: 'PHP' },
        ]}
        onValueChange={setSelected}
      />
      {selected === 'PHP' && (
        <p>
          {texts.phpFile} <a href={serviceUrl('docs/saleproof.php')}>{texts.download}</a>
        </p>
      )}
      <CodeBlock label={selected} copyLabel={texts.copy} text={snippets[selected]} />
    </div>
  )
}

export function SnippetsCard() {
  const { title, lead } = useLanguage().t.keys.snippets
  return (
    <Card title={title} description={lead}>
      <Snippets />
    </Card>
  )
}
