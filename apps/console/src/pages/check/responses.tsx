import type { Locale } from '@saleproof/schema'
import type { CheckReason, ConsoleCheck } from '@saleproof/schema/console'
import { useLanguage } from '../../i18n/language.tsx'
import { languageNames, languages } from '../../i18n/languages.ts'
import { check as en } from '../../messages/en/check.ts'
import { check as pt } from '../../messages/pt/check.ts'
import { Badge } from '../../ui/badge.tsx'
import { JsonView } from '../../ui/json-view.tsx'
import { Card } from '../../ui/page.tsx'
import styles from './check.module.css'

/** The reasons in both languages at once: whoever writes to a customer writes in theirs. */
const reasons = { en: en.reasons, pt: pt.reasons } satisfies Record<Locale, unknown>

interface AnswerProps {
  language: Locale
  reason: CheckReason
  answer: ConsoleCheck['answers'][Locale]
}

function Answer({ language, reason, answer }: AnswerProps) {
  const { t } = useLanguage()
  const { title, text } = reasons[language][reason]
  return (
    <div className={styles.answer}>
      <h3>
        <span lang={language}>{languageNames[language]}</span>
        <Badge tone={answer.status < 300 ? 'good' : 'bad'}>
          {t.check.status} {answer.status}
        </Badge>
      </h3>
      <p lang={language}>
        {title}. {text}
      </p>
      <dl className={styles.headers} aria-label={`${t.check.headers}, ${languageNames[language]}`}>
        {Object.entries(answer.headers).map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <JsonView label={`${t.check.body}, ${languageNames[language]}`} value={answer.body} />
    </div>
  )
}

export function Answers({ check: { reason, answers } }: { check: ConsoleCheck }) {
  const { t } = useLanguage()
  return (
    <Card title={t.check.answers}>
      <p className={styles.text}>{t.check.answersText}</p>
      <div className={styles.answers}>
        {languages.map((language) => (
          <Answer key={language} {...{ language, reason }} answer={answers[language]} />
        ))}
      </div>
    </Card>
  )
}
