import { Registry } from 'prom-client'
import type { Observe } from './observer.ts'
import { measureProcess } from './process-metrics.ts'
import { createRequestMetrics } from './request-metrics.ts'
import { measureService, type WatchedParts } from './service-metrics.ts'

export interface Metrics {
  observe: Observe
  /** Has the parts of a service measured, each time the metrics are read. */
  watch: (parts: WatchedParts) => void
  contentType: string
  /** Everything that is measured, as text. */
  read: () => Promise<string>
}

/** The metrics of one process. */
export function createMetrics(): Metrics & { registry: Registry } {
  const registry = new Registry()
  measureProcess(registry)
  const observe = createRequestMetrics(registry)
  return {
    registry,
    observe,
    watch: (parts) => measureService(registry, parts),
    contentType: registry.contentType,
    read: () => registry.metrics(),
  }
}
