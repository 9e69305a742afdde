import { type ExportResult, ExportResultCode } from '@opentelemetry/core'
import type { Logger } from 'pino'
import { version } from '../../version.ts'
import { createDatabaseSpans } from './database-spans.ts'
import { createProvider } from './provider.ts'
import { createServerSpans } from './server-spans.ts'
import type { TracingConfig } from './tracing-config.ts'

export interface TracingOptions {
  config: TracingConfig
  logger: Logger
  system: 'sqlite' | 'postgresql'
  /** What callers use. */
  address: () => string
  now: () => number
}

/** A collector that is away for a day is told of every so often, not with every batch. */
const tellEveryMs = 60_000

/** Counts what became of the spans, and says so when they cannot be sent. */
function createReport({ logger, now }: TracingOptions) {
  const figures = { exported: 0, failed: 0 }
  let toldAt = Number.NEGATIVE_INFINITY
  function onResult(spans: number, { code, error }: ExportResult) {
    if (code === ExportResultCode.SUCCESS) {
      figures.exported += spans
      return
    }
    figures.failed += spans
    if (now() - toldAt < tellEveryMs) return
    toldAt = now()
    const { name, code: cause } = (error ?? {}) as { name?: string; code?: unknown }
    logger.warn({ cause: { name, code: cause }, spans }, 'traces could not be sent to the collector')
  }
  return { figures, onResult }
}

/**
 * Traces for OpenTelemetry. Loaded only where a collector is named: it takes a tenth of a second and memory that others need not pay for.
 */
export function createTracing(options: TracingOptions) {
  const { figures, onResult } = createReport(options)
  const provider = createProvider({ config: options.config, version, onResult })
  const tracer = provider.getTracer('saleproof', version)
  const requests = createServerSpans({ tracer, address: options.address })
  const database = createDatabaseSpans({ tracer, system: options.system, parent: requests.parent })
  return {
    around: requests.around,
    observe: requests.observe,
    database,
    figures,
    /** Sends what there is, without waiting for it. */
    flush: () => void provider.forceFlush().catch(() => {}),
    /** Sends what is left, and waits so long for it at most. */
    async close(withinMs: number) {
      const { promise: late, resolve } = Promise.withResolvers<void>()
      const timer = setTimeout(resolve, withinMs)
      await Promise.race([provider.shutdown().catch(() => {}), late])
      clearTimeout(timer)
    },
  }
}

export type Tracing = ReturnType<typeof createTracing>
