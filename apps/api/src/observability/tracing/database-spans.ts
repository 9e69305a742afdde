import {
  type Attributes,
  type Context,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
} from '@opentelemetry/api'
import {
  ATTR_DB_COLLECTION_NAME,
  ATTR_DB_OPERATION_NAME,
  ATTR_DB_SYSTEM_NAME,
  ATTR_ERROR_TYPE,
} from '@opentelemetry/semantic-conventions'
import { errorMetric } from '../../db/errors.ts'
import type { PrismaCall } from '../../db/prisma.ts'
import { UserError } from '../../user-error.ts'

interface Progress {
  phase: string
  lines: number
}

interface DatabaseSpansOptions {
  tracer: Tracer
  system: 'sqlite' | 'postgresql'
  /** The span of the current request; undefined outside of requests. */
  parent: () => Context | undefined
}

/** Records only the kind of an error: its message may repeat data. */
function fail(span: Span, error: unknown) {
  span.setStatus({ code: SpanStatusCode.ERROR })
  span.setAttribute(ATTR_ERROR_TYPE, error instanceof UserError ? 'refused' : errorMetric(error))
}

async function within<T>(span: Span, run: () => Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (error) {
    fail(span, error)
    throw error
  } finally {
    span.end()
  }
}

/** Spans of the database calls of a request. They contain no statements and no values. */
export function createDatabaseSpans({ tracer, system, parent }: DatabaseSpansOptions) {
  const start = (name: string, context: Context, attributes: Attributes) =>
    tracer.startSpan(
      name,
      { kind: SpanKind.CLIENT, attributes: { [ATTR_DB_SYSTEM_NAME]: system, ...attributes } },
      context,
    )

  return {
    call<T>({ model, operation }: PrismaCall, run: () => Promise<T>): Promise<T> {
      const context = parent()
      if (!context) return run()
      const attributes = {
        [ATTR_DB_OPERATION_NAME]: operation,
        ...(model && { [ATTR_DB_COLLECTION_NAME]: model }),
      }
      return within(start(model ? `${operation} ${model}` : operation, context, attributes), run)
    },

    /** One span per phase of an import. */
    import<T>(run: (onProgress: (progress: Progress) => void) => Promise<T>): Promise<T> {
      const context = parent()
      if (!context) return run(() => {})
      const begin = (phase: string) => ({
        phase,
        span: start(`import ${phase}`, context, { [ATTR_DB_OPERATION_NAME]: `import ${phase}` }),
      })
      let current = begin('reading')
      function onProgress({ phase, lines }: Progress) {
        current.span.setAttribute('saleproof.import.lines', lines)
        if (phase === current.phase) return
        current.span.end()
        current = begin(phase)
      }
      return run(onProgress)
        .catch((error) => {
          fail(current.span, error)
          throw error
        })
        .finally(() => current.span.end())
    },
  }
}
