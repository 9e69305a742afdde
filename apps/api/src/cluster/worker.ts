import type { Worker } from 'node:cluster'
import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from 'pino'
import { AggregatorRegistry } from 'prom-client'
import { createFailOpen } from '../rate-limit/fail-open.ts'
import type { LimitKind, LimitsOptions } from '../rate-limit/limits.ts'
import { createSharedBudget } from '../rate-limit/shared-budget.ts'
import type { PrimaryMethods, WorkerMethods } from './methods.ts'
import type { MetricValues } from './metrics-aggregator.ts'
import { createRpc } from './rpc.ts'

type SharedBudget = ReturnType<typeof createSharedBudget>

interface WorkerLinkOptions {
  worker: Worker
  now: () => number
  measure: () => Promise<MetricValues>
}

/** Longer than the primary waits when it recalls leases from other workers. */
const leaseTimeoutMs = 500
const retryMs = 500
/** Longer than the primary waits for the metrics of other workers. */
const metricsTimeoutMs = 3000
/** The primary notices within this time that the workers disconnected, and closes its copy of the listening socket. */
const socketReleaseMs = 250

/** What a worker shares with the others through the primary: budgets and metrics. */
export function createWorkerLink({ worker, now, measure }: WorkerLinkOptions) {
  const budgetsByKind = new Map<LimitKind, SharedBudget>()
  let hasLeft = false
  const rpc = createRpc<PrimaryMethods, WorkerMethods>((message) => void worker.send(message), {
    recall: ({ kind, name, resetAt }) => budgetsByKind.get(kind)?.release(name, resetAt) ?? 0,
    measure,
  })
  // Sending to a primary that just died breaks the channel; Node.js ends this process when it notices.
  worker.on('error', () => {})
  worker.on('message', (message: unknown) => void rpc.receive(message))

  /** Budgets that limit nothing while the primary does not respond. Logs this once. */
  function budgets(logger: Logger): LimitsOptions['budget'] {
    const attempt = createFailOpen({
      retryMs,
      onOutage: () => logger.warn('the primary process does not respond: rate limits are off until it does'),
      onRecovery: () => logger.info('the primary process responds again: rate limits are on'),
    })
    return (kind, limit) => {
      // The last requests of a process that stops are not limited.
      const lease = async (name: string) =>
        hasLeft ? undefined : attempt(() => rpc.call('lease', { kind, name }, leaseTimeoutMs))
      const budget = createSharedBudget({ limit, now, lease })
      budgetsByKind.set(kind, budget)
      return budget
    }
  }

  /** Closes the channel, which would keep this process alive. */
  function leave() {
    if (hasLeft) return
    hasLeft = true
    // Otherwise Node.js would take this for the end of the primary, and end this process.
    worker.exitedAfterDisconnect = true
    worker.process.disconnect()
  }

  return {
    budgets,
    async readMetrics() {
      if (hasLeft) return AggregatorRegistry.aggregate([await measure()]).metrics()
      return rpc.call('readMetrics', {}, metricsTimeoutMs)
    },
    leave,
    /**
     * Resolves once the primary has closed its copy of the listening socket. The primary does so after the last worker has disconnected.
     * Had it the last copy, closing that would cut connections that were not accepted yet. Workers keep accepting meanwhile.
     */
    async releaseSocket() {
      leave()
      await delay(socketReleaseMs)
    },
    announce: (address: string) => void rpc.call('listening', { address }, leaseTimeoutMs).catch(() => {}),
  }
}

export type WorkerLink = ReturnType<typeof createWorkerLink>
