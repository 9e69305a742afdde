import { Registry } from 'prom-client'
import { measureProcess } from './process-metrics.ts'
import { createRequestMetrics } from './request-metrics.ts'
import { measureService, type ServiceParts } from './service-metrics.ts'

export function createMetrics() {
  const registry = new Registry()
  measureProcess(registry)
  return {
    registry,
    observe: createRequestMetrics(registry),
    watch: (parts: ServiceParts) => measureService(registry, parts),
    contentType: registry.contentType,
    read: () => registry.metrics(),
  }
}

export type Metrics = Omit<ReturnType<typeof createMetrics>, 'registry'>
