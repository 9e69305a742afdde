import type { CheckReason, ConsoleCheck } from '@saleproof/schema/console'
import { type Locale, locales } from '@saleproof/schema/constants'
import { useLanguage } from '../../i18n/language.tsx'
import { languageName } from '../../i18n/languages.ts'
import { check as en } from '../../messages/en/check.ts'
import { check as pt } from '../../messages/pt/check.ts'
import { Badge } from '../../ui/badge.tsx'
import { JsonView } from '../../ui/json-view.tsx'
import { Card } from '../../ui/page.tsx'
import styles from './check.module.css'

/** Both languages at once: a seller replies to customers in theirs. */
const reasons = { en: en.reasons, pt: pt.reasons } satisfies Record<Locale, unknown>

interface ResponseProps {
  language: Locale
  reason: CheckReason
  response: ConsoleCheck['answers'][Locale]
}

function Response({ language, reason, response: { status, headers, body } }: ResponseProps) {
  const { t } = useLanguage()
  const { title, text } = reasons[language][reason]
  const name = languageName(language)
  return (
    <div className={styles.response}>
      <h3>
        <span lang={language}>{name}</span>
        <Badge tone={status < 300 ? 'success' : 'error'}>
          {t.check.status} {status}
        </Badge>
      </h3>
      <p lang={language}>
        {title}. {text}
      </p>
      <dl className={styles.headers} aria-label={`${t.check.headers}, ${name}`}>
        {Object.entries(headers).map(([header, value]) => (
          <div key={header}>
            <dt>{header}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <JsonView label={`${t.check.body}, ${name}`} value={body} />
    </div>
  )
}

export function Responses({ check: { reason, answers } }: { check: ConsoleCheck }) {
  const { t } = useLanguage()
  return (
    <Card title={t.check.responses} description={t.check.responsesText}>
      <div className={styles.responses}>
        {locales.map((language) => (
          <Response key={language} language={language} reason={reason} response={answers[language]} />
        ))}
      </div>
    </Card>
  )
}
