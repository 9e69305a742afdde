import { commonErrors } from '@saleproof/schema/constants'
import { useId, useState } from 'react'
import { serviceUrl } from '../app/service-url.ts'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { CodeBlock } from '../ui/code-block.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { ChevronDown } from '../ui/icons.ts'
import { JsonView } from '../ui/json-view.tsx'
import { lazyWithPreload } from '../ui/lazy-with-preload.tsx'
import { SegmentedControl } from '../ui/segmented-control.tsx'
import { Entries } from './entries.tsx'
import { ErrorCode } from './error-code.tsx'
import { useErrorText } from './error-text.ts'
import type { Operation, ResponseCase } from './reference.ts'
import { RichText } from './rich-text.tsx'
import { type SampleLanguage, sampleLanguages } from './samples.ts'
import { findText, useDocsTexts } from './texts.ts'

const TryIt = lazyWithPreload(() => import('./try-it.tsx'))

export const Method = ({ method }: Pick<Operation, 'method'>) => (
  <Badge tone={method === 'POST' ? 'success' : 'info'}>{method}</Badge>
)

/** The headers are explained in a section of their own. */
const HeaderNames = ({ label, names }: { label: string; names: readonly string[] }) => (
  <p className="docs-names row">
    {label}:
    {names.map((name) => (
      <a key={name} href={serviceUrl('docs#headers')}>
        <code>{name}</code>
      </a>
    ))}
  </p>
)

function Parameters({ operation }: { operation: Operation }) {
  const { parameters: texts, parameterTexts, headers } = useDocsTexts()
  const own = operation.parameters.filter(({ places }) => !places.includes('header'))
  const shared = operation.parameters.filter(({ places }) => places.includes('header'))
  return (
    <>
      <h4>{texts.title}</h4>
      {own.length === 0 && <p>{texts.none}</p>}
      <Entries
        entries={own.map(({ name, type, places, required, text }) => ({
          key: name,
          name: <code>{name}</code>,
          note: [type, places.map((place) => texts.places[place]).join(', '), required && texts.required]
            .filter(Boolean)
            .join(' · '),
          text: findText(parameterTexts, name) ?? text,
        }))}
      />
      {shared.length > 0 && <HeaderNames label={headers.title} names={shared.map(({ name }) => name)} />}
    </>
  )
}

const isCommon = (code: string) => commonErrors.some((common) => common === code)

function Errors({ operation }: { operation: Operation }) {
  const { errors } = useDocsTexts()
  const errorText = useErrorText(operation)
  const all = operation.responses.flatMap(({ status, codes }) => codes.map((code) => ({ status, code })))
  if (all.length === 0) return null
  const isOperation = operation.credential === 'key'
  const own = all.filter(({ code }) => !isOperation || !isCommon(code))
  const common = all.filter((error) => !own.includes(error))
  const toEntries = (list: typeof all) =>
    list.map(({ status, code }) => ({
      key: `${status} ${code}`,
      name: <ErrorCode status={status} code={code} />,
      text: errorText(code),
    }))
  return (
    <>
      <h4>{errors.title}</h4>
      <Entries entries={toEntries(own)} />
      {common.length > 0 && (
        <details>
          <summary>{errors.ofEvery(common.length)}</summary>
          <Entries entries={toEntries(common)} />
        </details>
      )}
    </>
  )
}

function ResponseExamples({ title, examples }: { title: string } & Pick<ResponseCase, 'examples'>) {
  const { responses: texts } = useDocsTexts()
  const [selected, setSelected] = useState('base')
  const example = examples.find(({ name }) => name === selected) ?? examples[0]
  const other = examples.find(({ name }) => name !== example?.name)
  if (!example) return null
  return (
    <>
      {examples.length > 1 && (
        <SegmentedControl
          label={`${texts.shape}: ${title}`}
          value={selected}
          options={examples.map(({ name }) => ({ value: name, label: name }))}
          onValueChange={setSelected}
        />
      )}
      <JsonView label={`${texts.example}: ${title}`} value={example.value} other={other?.value} />
    </>
  )
}

/** The responses that are no failures with a code. */
function Responses({ operation, title }: { operation: Operation; title: string }) {
  const texts = useDocsTexts()
  const own = findText(texts.operations, operation.id)?.statuses
  return (
    <>
      <h4>{texts.responses.title}</h4>
      {operation.responses
        .filter(({ codes }) => codes.length === 0)
        .map(({ status, text, headers, examples }) => (
          <div key={status} className="docs-response stack">
            <p className="docs-entry-name row">
              <Badge tone={status < 400 ? 'success' : 'error'}>{status}</Badge>
              <span>
                <RichText text={own?.[status] ?? findText(texts.statuses, status) ?? text} />
              </span>
            </p>
            <ResponseExamples title={`${title}, ${status}`} examples={examples} />
            {status === 200 && <HeaderNames label={texts.headers.title} names={headers} />}
          </div>
        ))}
    </>
  )
}

interface OperationSectionProps {
  operation: Operation
  samples: Readonly<Record<SampleLanguage, string>>
  /** The language of the samples; one choice for the whole page. */
  sampleLanguage: SampleLanguage
  onSampleLanguageChange: (language: SampleLanguage) => void
}

export function OperationSection(props: OperationSectionProps) {
  const { operation, samples, sampleLanguage, onSampleLanguageChange } = props
  const texts = useDocsTexts()
  const [isOpen, setOpen] = useState(false)
  const panelId = useId()
  const { id, method, path } = operation
  const { title, text } = findText(texts.operations, id) ?? operation
  return (
    <section id={id} className="docs-operation surface stack" aria-labelledby={`${id}-title`}>
      <div className="docs-head">
        <h3 id={`${id}-title`}>
          <a href={serviceUrl(`docs#${id}`)}>{title}</a>
        </h3>
        <p className="docs-entry-name row">
          <Method method={method} />
          <code>{path}</code>
          <CopyButton iconOnly small variant="quiet" text={path} label={`${texts.copyPath}: ${path}`} />
        </p>
        <p>
          <RichText text={text} />
        </p>
        <Button
          aria-expanded={isOpen}
          aria-controls={isOpen ? panelId : undefined}
          aria-label={isOpen ? undefined : texts.tryIt.openNamed(title)}
          onFocus={() => void TryIt.preload().catch(() => {})}
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? texts.tryIt.hide : texts.tryIt.open}
          <ChevronDown size={16} aria-hidden />
        </Button>
      </div>
      {isOpen && (
        <div id={panelId}>
          <TryIt operation={operation} />
        </div>
      )}
      <div className="docs-columns stack">
        <div className="docs-column stack">
          <Parameters operation={operation} />
          <Errors operation={operation} />
        </div>
        <div className="docs-column stack">
          <h4>{texts.samples.title}</h4>
          <SegmentedControl
            label={`${texts.samples.title}: ${title}`}
            value={sampleLanguage}
            options={sampleLanguages.map((value) => ({ value, label: value }))}
            onValueChange={onSampleLanguageChange}
          />
          <CodeBlock
            label={`${sampleLanguage}: ${title}`}
            text={samples[sampleLanguage]}
            copyLabel={texts.samples.copy}
          />
          {operation.exampleBody !== undefined && (
            <CodeBlock label="sales.ndjson" text={operation.exampleBody} copyLabel={texts.samples.copy} />
          )}
          <Responses operation={operation} title={title} />
        </div>
      </div>
    </section>
  )
}
