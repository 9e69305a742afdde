import type { Lease } from '../rate-limit/coordinator.ts'
import type { LimitKind } from '../rate-limit/limits.ts'
import type { MetricValues } from './metrics-aggregator.ts'

/** What workers call in the primary. */
export interface PrimaryMethods {
  listening: (params: { address: string }) => void
  lease: (params: { kind: LimitKind; name: string }) => Promise<Lease | undefined>
  readMetrics: (params: object) => Promise<string>
}

/** What the primary calls in a worker. */
export interface WorkerMethods {
  /** Takes back the unspent part of a lease. */
  recall: (params: { kind: LimitKind; name: string; resetAt: number }) => number
  measure: (params: object) => Promise<MetricValues>
}
