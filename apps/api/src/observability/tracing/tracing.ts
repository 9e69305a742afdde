import { type ExportResult, ExportResultCode } from '@opentelemetry/core'
import type { Logger } from 'pino'
import { describeCause } from '../../db/errors.ts'
import { version } from '../../package.ts'
import { withTimeout } from '../../with-timeout.ts'
import { throttle } from '../throttle.ts'
import { createDatabaseSpans } from './database-spans.ts'
import { createProvider } from './provider.ts'
import { createServerSpans } from './server-spans.ts'
import type { TracingConfig } from './tracing-config.ts'

export interface TracingOptions {
  config: TracingConfig
  logger: Logger
  system: 'sqlite' | 'postgresql'
  /** The public address. */
  address: () => string
}

/** A long outage of the collector is not logged for every batch. */
const logEveryMs = 60_000

/**
 * OpenTelemetry traces. Loaded only where a collector is configured: loading takes a tenth of a second, and memory.
 */
export function createTracing({ config, logger, system, address }: TracingOptions) {
  const stats = { exported: 0, failed: 0 }
  const warn = throttle(logEveryMs, (error: unknown, spans: number) =>
    logger.warn({ cause: describeCause(error), spans }, 'traces could not be sent to the collector'),
  )
  function onResult(spans: number, { code, error }: ExportResult) {
    if (code === ExportResultCode.SUCCESS) {
      stats.exported += spans
      return
    }
    stats.failed += spans
    warn(error, spans)
  }
  const provider = createProvider({ config, version, onResult })
  const tracer = provider.getTracer('saleproof', version)
  const requests = createServerSpans({ tracer, address })
  return {
    around: requests.around,
    observe: requests.observe,
    database: createDatabaseSpans({ tracer, system, parent: requests.parent }),
    stats,
    /** Sends the spans so far, without waiting for that. */
    flush: () => void provider.forceFlush().catch(() => {}),
    /** Sends the remaining spans, and waits no longer than this. */
    close: (withinMs: number) => withTimeout(provider.shutdown(), withinMs).catch(() => {}),
  }
}

export type Tracing = ReturnType<typeof createTracing>
