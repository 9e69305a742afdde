import { Registry } from 'prom-client'
import { measureProcess } from './process-metrics.ts'
import { createRequestMetrics } from './request-metrics.ts'

export function createMetrics() {
  const registry = new Registry()
  measureProcess(registry)
  return {
    registry,
    observe: createRequestMetrics(registry),
    read: () => registry.metrics(),
  }
}

export type Metrics = ReturnType<typeof createMetrics>
