import type { ReactNode } from 'react'
import { serviceUrl } from '../app/service-url.ts'
import { useLanguage } from '../i18n/language.tsx'
import { CodeBlock } from '../ui/code-block.tsx'
import { Entries } from './entries.tsx'
import type { Reference } from './reference.ts'
import { RichText } from './rich-text.tsx'
import { useDocsTexts } from './texts.ts'

/** The sections that are no operations, by the id of each: those before the operations, and those after them. */
export const firstSections = ['basics', 'authentication', 'errors'] as const
export const lastSections = ['headers'] as const

interface SectionProps {
  id: (typeof firstSections | typeof lastSections)[number]
  children: ReactNode
}

function Section({ id, children }: SectionProps) {
  const { title } = useDocsTexts()[id]
  return (
    <section id={id} className="docs-section stack" aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`}>
        <a href={serviceUrl(`docs#${id}`)}>{title}</a>
      </h2>
      {children}
    </section>
  )
}

export function Basics({ baseUrl }: Reference) {
  const { t } = useLanguage()
  const { basics } = useDocsTexts()
  return (
    <Section id="basics">
      <h3>{basics.baseUrl}</h3>
      <CodeBlock label={basics.baseUrl} text={baseUrl} copyLabel={t.actions.copy} />
      <ul className="docs-points">
        {basics.points.map((point) => (
          <li key={point}>
            <RichText text={point} />
          </li>
        ))}
      </ul>
    </Section>
  )
}

export function Authentication() {
  const { authentication } = useDocsTexts()
  const ways = Object.entries(authentication.ways)
  return (
    <Section id="authentication">
      <p>{authentication.text}</p>
      <Entries entries={ways.map(([way, text]) => ({ key: way, name: <code>{way}</code>, text }))} />
      <p>{authentication.kinds}</p>
      <p>
        <a href={serviceUrl('console')}>{authentication.create}</a>
      </p>
    </Section>
  )
}

const exampleFailure = (baseUrl: string) => `HTTP/1.1 404 Not Found
X-Error-Code: purchase_not_found
Link: <${baseUrl}/docs/errors#purchase_not_found>; rel="help"

{"status":"error","msg":"Invalid purchase code"}
`

export function Errors({ baseUrl }: Reference) {
  const { t } = useLanguage()
  const { errors } = useDocsTexts()
  return (
    <Section id="errors">
      <p>
        <RichText text={errors.text} />
      </p>
      <CodeBlock label={errors.example} text={exampleFailure(baseUrl)} copyLabel={t.actions.copy} />
      <p>
        <RichText text={errors.unknown} />
      </p>
      <p>
        <a href={serviceUrl('docs/errors')}>{errors.all}</a>
      </p>
    </Section>
  )
}

export function Headers({ requestHeaders, responseHeaders }: Reference) {
  const { requestTexts, responseTexts, headers } = useDocsTexts()
  const entries = (english: Readonly<Record<string, string>>, texts = english) =>
    Object.keys(english).map((name) => ({ key: name, name: <code>{name}</code>, text: texts[name] }))
  return (
    <Section id="headers">
      <h3>{headers.request}</h3>
      <Entries entries={entries(requestHeaders, requestTexts)} />
      <h3>{headers.response}</h3>
      <Entries entries={entries(responseHeaders, responseTexts)} />
    </Section>
  )
}
