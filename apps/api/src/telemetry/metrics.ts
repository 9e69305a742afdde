import { collectDefaultMetrics, Registry } from 'prom-client'
import type { Observe } from './observer.ts'
import { createRequestMetrics } from './request-metrics.ts'

export interface Metrics {
  observe: Observe
  contentType: string
  /** Everything that is measured, as text. */
  read: () => Promise<string>
}

/** The metrics of one process. */
export function createMetrics(): Metrics & { registry: Registry } {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const observe = createRequestMetrics(registry)
  return { registry, observe, contentType: registry.contentType, read: () => registry.metrics() }
}
