import { type ExportResult, ExportResultCode } from '@opentelemetry/core'
import type { Logger } from 'pino'
import { describeCause } from '../../db/errors.ts'
import { version } from '../../package.ts'
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
  now: () => number
}

/** A long outage of the collector is not logged for every batch. */
const logEveryMs = 60_000

function createExportStats({ logger, now }: TracingOptions) {
  const stats = { exported: 0, failed: 0 }
  let loggedAt = Number.NEGATIVE_INFINITY
  function onResult(spans: number, { code, error }: ExportResult) {
    if (code === ExportResultCode.SUCCESS) {
      stats.exported += spans
      return
    }
    stats.failed += spans
    if (now() - loggedAt < logEveryMs) return
    loggedAt = now()
    logger.warn({ cause: describeCause(error), spans }, 'traces could not be sent to the collector')
  }
  return { stats, onResult }
}

/**
 * OpenTelemetry traces. Loaded only where a collector is configured: loading takes a tenth of a second, and memory.
 */
export function createTracing(options: TracingOptions) {
  const { stats, onResult } = createExportStats(options)
  const provider = createProvider({ config: options.config, version, onResult })
  const tracer = provider.getTracer('saleproof', version)
  const requests = createServerSpans({ tracer, address: options.address })
  const database = createDatabaseSpans({ tracer, system: options.system, parent: requests.parent })
  return {
    around: requests.around,
    observe: requests.observe,
    database,
    stats,
    /** Sends the spans so far, without waiting for that. */
    flush: () => void provider.forceFlush().catch(() => {}),
    /** Sends the remaining spans, and waits no longer than this. */
    async close(withinMs: number) {
      const { promise: timeout, resolve } = Promise.withResolvers<void>()
      const timer = setTimeout(resolve, withinMs)
      await Promise.race([provider.shutdown().catch(() => {}), timeout])
      clearTimeout(timer)
    },
  }
}

export type Tracing = ReturnType<typeof createTracing>
