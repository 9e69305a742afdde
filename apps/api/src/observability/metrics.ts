import { Registry } from 'prom-client'
import type { Observe } from '../http/request-event.ts'
import { measureProcess } from './process-metrics.ts'
import { createRequestMetrics } from './request-metrics.ts'
import { measureService, type ServiceParts } from './service-metrics.ts'

export interface Metrics {
  observe: Observe
  watch: (parts: ServiceParts) => void
  contentType: string
  read: () => Promise<string>
}

export function createMetrics(): Metrics & { registry: Registry } {
  const registry = new Registry()
  measureProcess(registry)
  return {
    registry,
    observe: createRequestMetrics(registry),
    watch: (parts) => measureService(registry, parts),
    contentType: registry.contentType,
    read: () => registry.metrics(),
  }
}
