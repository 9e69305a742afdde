import cluster from 'node:cluster'
import type { Logger } from 'pino'
import { createFailOpen } from '../limits/fail-open.ts'
import type { Grant } from '../limits/ledger.ts'
import type { LimitKind, LimitsOptions } from '../limits/limits.ts'
import { createSharedBudget } from '../limits/shared-budget.ts'
import type { Measured } from './measurements.ts'
import { createQuestions, type FromWorker, isOurs, type ToWorker } from './messages.ts'

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

/** What a worker has of the process that started it: budgets that all share, and the metrics of all. */
export function createWorkerLink({ now, measure }: WorkerLinkOptions) {
  const worker = cluster.worker!
  const grants = createQuestions<Grant>()
  const readings = createQuestions<string>()
  const shares = new Map<LimitKind, SharedBudget>()
  const send = (message: FromWorker) => void worker.send(message)

  function receive(message: ToWorker) {
    switch (message.type) {
      case 'saleproof:granted':
        return grants.answer(message.id, message.grant)
      case 'saleproof:metrics-read':
        return readings.answer(message.id, message.text)
      case 'saleproof:measure':
        return void measure().then((metrics) => send({ type: 'saleproof:measured', id: message.id, metrics }))
      case 'saleproof:give-back': {
        const left = shares.get(message.kind)?.giveUp(message.name, message.resetAt) ?? 0
        return send({ type: 'saleproof:given-back', id: message.id, left })
      }
    }
  }

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
      const ask = (name: string) => attempt(() => grants.ask(request(name), grantWithinMs))
      const shared = createSharedBudget({ limit, now, ask })
      shares.set(kind, shared)
      return shared
    }
  }

  return {
    budgets,
    readMetrics: () => readings.ask((id) => send({ type: 'saleproof:metrics', id }), metricsWithinMs),
    /** Lets this process end: an open channel keeps it alive. */
    leave: () => worker.disconnect(),
    listening: (address: string) => send({ type: 'saleproof:listening', address }),
  }
}

export type WorkerLink = Pick<ReturnType<typeof createWorkerLink>, 'budgets' | 'readMetrics'>
