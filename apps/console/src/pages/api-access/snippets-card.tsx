import { useState } from 'react'
import { useSignedIn } from '../../api/session.ts'
import { serviceUrl } from '../../app/service-url.ts'
import { useLanguage } from '../../i18n/language.tsx'
import { CodeBlock } from '../../ui/code-block.tsx'
import { Card } from '../../ui/page.tsx'
import { SegmentedControl } from '../../ui/segmented-control.tsx'
import styles from './api-access.module.css'
import { snippetsFor } from './snippets.ts'

/** A program in several languages, of which one is shown; each name is that of its language. */
export function Programs<Name extends string>({ programs }: { programs: Readonly<Record<Name, string>> }) {
  const { t } = useLanguage()
  const texts = t.keys.snippets
  const names = Object.keys(programs) as Name[]
  const [selected = names[0] as Name, setSelected] = useState<Name>()
  return (
    <div className={styles.snippets}>
      <SegmentedControl
        label={texts.tabs}
        value={selected}
        options={names.map((name) => ({ value: name, label: name }))}
        onValueChange={setSelected}
      />
      {selected === 'PHP' && (
        <p>
          {texts.phpFile} <a href={serviceUrl('docs/saleproof.php')}>{texts.download}</a>
        </p>
      )}
      <CodeBlock label={selected} copyLabel={texts.copy} text={programs[selected]} />
    </div>
  )
}

/** Code that validates a purchase code, in the languages of most programs. */
export function Snippets() {
  const { t } = useLanguage()
  const { service } = useSignedIn()
  return <Programs programs={snippetsFor(service.public_url, t.keys.snippets.unknown)} />
}

export function SnippetsCard() {
  const { title, lead } = useLanguage().t.keys.snippets
  return (
    <Card title={title} description={lead}>
      <Snippets />
    </Card>
  )
}
