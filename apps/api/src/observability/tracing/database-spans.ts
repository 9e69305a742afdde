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
import { databaseErrorKind } from '../../db/errors.ts'
import type { PrismaCall } from '../../db/prisma.ts'
import { ImportError, type ImportProgress } from '../../import-export/import.ts'

interface DatabaseSpansOptions {
  tracer: Tracer
  system: 'sqlite' | 'postgresql'
  /** The span of the request that is being answered; there is none for what the service does by itself. */
  parent: () => Context | undefined
}

/** The kind of an error alone: its message may hold what was to be stored. */
function fail(span: Span, error: unknown) {
  span.setStatus({ code: SpanStatusCode.ERROR })
  span.setAttribute(ATTR_ERROR_TYPE, error instanceof ImportError ? 'refused' : databaseErrorKind(error))
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

/** Spans of what a request has the database do. No statement and no value is in them. */
export function createDatabaseSpans({ tracer, system, parent }: DatabaseSpansOptions) {
  const start = (name: string, context: Context, attributes: Attributes) =>
    tracer.startSpan(
      name,
      { kind: SpanKind.CLIENT, attributes: { [ATTR_DB_SYSTEM_NAME]: system, ...attributes } },
      context,
    )

  return {
    /** A call of Prisma. */
    call<T>({ model, operation }: PrismaCall, run: () => Promise<T>): Promise<T> {
      const context = parent()
      if (!context) return run()
      const attributes = {
        [ATTR_DB_OPERATION_NAME]: operation,
        ...(model && { [ATTR_DB_COLLECTION_NAME]: model }),
      }
      return within(start(model ? `${operation} ${model}` : operation, context, attributes), run)
    },

    /** An import: one span for each of its phases. */
    import<T>(run: (onProgress: (progress: ImportProgress) => void) => Promise<T>): Promise<T> {
      const context = parent()
      if (!context) return run(() => {})
      const begin = (phase: ImportProgress['phase']) => ({
        phase,
        span: start(`import ${phase}`, context, { [ATTR_DB_OPERATION_NAME]: `import ${phase}` }),
      })
      let current = begin('reading')
      function onProgress({ phase, lines }: ImportProgress) {
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
