import cluster from 'node:cluster'
import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from 'pino'
import { AggregatorRegistry } from 'prom-client'
import type { Lease } from '../rate-limit/coordinator.ts'
import { createFailOpen } from '../rate-limit/fail-open.ts'
import type { LimitKind, LimitsOptions } from '../rate-limit/limits.ts'
import { createSharedBudget } from '../rate-limit/shared-budget.ts'
import type { ShareExports } from './export-semaphore.ts'
import { createQuestions, type FromWorker, isOurs, type ToWorker } from './messages.ts'
import type { Measured } from './metrics-aggregator.ts'

type SharedBudget = ReturnType<typeof createSharedBudget>

interface WorkerLinkOptions {
  now: () => number
  /** The metrics of this process. */
  measure: () => Promise<readonly Measured[]>
}

/** More than the first process waits for the others when it calls parts of a limit back. */
const grantWithinMs = 500
const retryMs = 500
/** More than the first process waits for the metrics of the others. */
const metricsWithinMs = 3000
/** How long the first process may take to notice that the workers leave it, and to close what it holds for them. */
const lettingGoMs = 250

/** What a worker has of the process that started it: budgets that all share, and the metrics of all. */
export function createWorkerLink({ now, measure }: WorkerLinkOptions) {
  const worker = cluster.worker!
  const grants = createQuestions<Lease>()
  const readings = createQuestions<string>()
  const exports = createQuestions<boolean>()
  const shares = new Map<LimitKind, SharedBudget>()
  let left = false
  const send = (message: FromWorker) => void worker.send(message)

  function receive(message: ToWorker) {
    switch (message.type) {
      case 'saleproof:granted':
        return grants.answer(message.id, message.grant)
      case 'saleproof:export-may':
        return exports.answer(message.id, message.begin)
      case 'saleproof:metrics-read':
        return readings.answer(message.id, message.text)
      case 'saleproof:measure':
        return void measure().then((metrics) => send({ type: 'saleproof:measured', id: message.id, metrics }))
      case 'saleproof:give-back': {
        const left = shares.get(message.kind)?.release(message.name, message.resetAt) ?? 0
        return send({ type: 'saleproof:given-back', id: message.id, left })
      }
    }
  }

  // What is sent to a first process that just died breaks the channel; Node.js ends this one when it notices.
  worker.on('error', () => {})
  worker.on('message', (message: unknown) => {
    if (isOurs(message)) receive(message as ToWorker)
  })

  /** Budgets that fail open, which the log tells once, when the first process does not answer. */
  function budgets(logger: Logger): LimitsOptions['budget'] {
    const attempt = createFailOpen({
      retryMs,
      onOutage: () => logger.warn('the first process does not answer: nothing is limited until it does'),
      onRecovery: () => logger.info('the first process answers again: limits hold'),
    })
    return (kind, limit) => {
      const request = (name: string) => (id: number) => send({ type: 'saleproof:grant', id, kind, name })
      // The last requests of a process that stops are not limited.
      const ask = async (name: string) =>
        left ? undefined : attempt(() => grants.ask(request(name), grantWithinMs))
      const shared = createSharedBudget({ limit, now, ask })
      shares.set(kind, shared)
      return shared
    }
  }

  const shareExports: ShareExports = async (owner) => {
    if (left) return undefined
    let place = -1
    const free = () => {
      if (!left) send({ type: 'saleproof:export-ends', id: place })
    }
    const begin = (id: number) => {
      place = id
      send({ type: 'saleproof:export-begins', id, owner })
    }
    try {
      return (await exports.ask(begin, grantWithinMs)) ? free : 'full'
    } catch {
      // It may still be answered: what was taken then is freed by the next message.
      free()
      return undefined
    }
  }

  /** Closes the channel, which would keep this process alive. */
  function leave() {
    if (left) return
    left = true
    // Or Node takes it for the end of the first process, and ends this one.
    worker.exitedAfterDisconnect = true
    worker.process.disconnect()
  }

  return {
    budgets,
    shareExports,
    async readMetrics() {
      if (left) return AggregatorRegistry.aggregate([await measure()] as object[][]).metrics()
      return readings.ask((id) => send({ type: 'saleproof:metrics', id }), metricsWithinMs)
    },
    leave,
    /**
     * The first process holds the socket that all accept from, and closes it when the last worker has left: by itself, it would be the
     * last to close it, and cut whoever came after the last worker looked. Workers go on accepting meanwhile.
     */
    async ownSocket() {
      leave()
      await delay(lettingGoMs)
    },
    listening: (address: string) => send({ type: 'saleproof:listening', address }),
  }
}

export type WorkerLink = Pick<
  ReturnType<typeof createWorkerLink>,
  'budgets' | 'shareExports' | 'readMetrics' | 'ownSocket'
>
