import { Badge } from '../ui/badge.tsx'
import { CodeBlock } from '../ui/code-block.tsx'
import { HeaderList } from '../ui/header-list.tsx'
import { JsonView } from '../ui/json-view.tsx'
import { ErrorCode } from './error-code.tsx'
import { useErrorText } from './error-text.ts'
import type { Operation } from './reference.ts'
import { RichText } from './rich-text.tsx'
import type { Exchange } from './send-request.ts'
import { useDocsTexts } from './texts.ts'

/** More would make the page slow. */
const maxLength = 100_000

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function Body({ text, label }: { text: string; label: string }) {
  const texts = useDocsTexts()
  if (text === '') return <p>{texts.tryIt.noBody}</p>
  const value = text.length > maxLength ? undefined : parse(text)
  if (value !== undefined) return <JsonView label={label} value={value} />
  return (
    <>
      {text.length > maxLength && <p>{texts.tryIt.shortened}</p>}
      <CodeBlock label={label} text={text.slice(0, maxLength)} copyLabel={texts.samples.copy} />
    </>
  )
}

/** What the service responded. */
export function ExchangeView({ operation, exchange }: { operation: Operation; exchange: Exchange }) {
  const { tryIt } = useDocsTexts()
  const errorText = useErrorText(operation)
  const { status, headers, text } = exchange
  const code = headers.find(([name]) => name === 'x-error-code')?.[1]
  return (
    <div className="docs-exchange stack">
      <div role="status" className="docs-entry-name row">
        <h4>{tryIt.result}</h4>
        {code ? (
          <>
            <ErrorCode status={status} code={code} />
            <p>
              <RichText text={errorText(code) ?? ''} />
            </p>
          </>
        ) : (
          <Badge tone={status < 400 ? 'success' : 'error'}>{status}</Badge>
        )}
      </div>
      <h5>{tryIt.headers}</h5>
      <HeaderList label={tryIt.headers} headers={headers} />
      <h5>{tryIt.body}</h5>
      <Body text={text} label={`${tryIt.body}: ${operation.method} ${operation.path}`} />
    </div>
  )
}
