import { type Attributes, type Context, SpanKind, SpanStatusCode, type Tracer } from '@opentelemetry/api'
import {
  ATTR_DB_COLLECTION_NAME,
  ATTR_DB_OPERATION_NAME,
  ATTR_DB_SYSTEM_NAME,
  ATTR_ERROR_TYPE,
} from '@opentelemetry/semantic-conventions'
import { errorMetric } from '../../db/errors.ts'
import type { PrismaCall } from '../../db/prisma.ts'
import { UserError } from '../../user-error.ts'

interface DatabaseSpansOptions {
  tracer: Tracer
  system: 'sqlite' | 'postgresql'
  /** The span of the current request; undefined outside of requests. */
  parent: () => Context | undefined
}

/** Spans of the database calls of a request, and of an import. They contain no statements and no values. */
export function createDatabaseSpans({ tracer, system, parent }: DatabaseSpansOptions) {
  return async function call<T>({ model, operation }: PrismaCall, run: () => Promise<T>): Promise<T> {
    const context = parent()
    if (!context) return run()
    const attributes: Attributes = {
      [ATTR_DB_SYSTEM_NAME]: system,
      [ATTR_DB_OPERATION_NAME]: operation,
      ...(model && { [ATTR_DB_COLLECTION_NAME]: model }),
    }
    const name = model ? `${operation} ${model}` : operation
    const span = tracer.startSpan(name, { kind: SpanKind.CLIENT, attributes }, context)
    try {
      return await run()
    } catch (error) {
      span.setStatus({ code: SpanStatusCode.ERROR })
      // Only the kind of an error: its message may repeat data.
      span.setAttribute(ATTR_ERROR_TYPE, error instanceof UserError ? 'refused' : errorMetric(error))
      throw error
    } finally {
      span.end()
    }
  }
}
