import type { CheckReason, ConsoleCheck } from '@saleproof/schema/console'
import { type Locale, locales } from '@saleproof/schema/constants'
import { languageName } from '../../i18n/languages.ts'
import { Badge } from '../../ui/badge.tsx'
import { HeaderList } from '../../ui/header-list.tsx'
import { JsonView } from '../../ui/json-view.tsx'
import { Card } from '../../ui/page.tsx'
import styles from './check.module.css'
import { useCheckTexts } from './texts.ts'

interface ResponseProps {
  language: Locale
  reason: CheckReason
  response: ConsoleCheck['responses'][Locale]
}

function Response({ language, reason, response: { status, headers, body } }: ResponseProps) {
  const texts = useCheckTexts()
  // Both languages at once: a seller replies to customers in theirs.
  const { title, text } = useCheckTexts(language).reasons[reason]
  const name = languageName(language)
  return (
    <div>
      <h3>
        <span lang={language}>{name}</span>
        <Badge tone={status < 300 ? 'success' : 'error'}>
          {texts.status} {status}
        </Badge>
      </h3>
      <p className="secondary" lang={language}>
        {title}. {text}
      </p>
      <HeaderList label={`${texts.headers}, ${name}`} headers={Object.entries(headers)} />
      <JsonView label={`${texts.body}, ${name}`} value={body} />
    </div>
  )
}

export function Responses({ check: { reason, responses } }: { check: ConsoleCheck }) {
  const texts = useCheckTexts()
  return (
    <Card title={texts.responses} description={texts.responsesText}>
      <div className={styles.responses}>
        {locales.map((language) => (
          <Response key={language} language={language} reason={reason} response={responses[language]} />
        ))}
      </div>
    </Card>
  )
}
