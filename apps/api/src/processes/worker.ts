import cluster from 'node:cluster'
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

/** What a worker has of the process that started it: budgets that all share, and the metrics of all. */
export function createWorkerLink({ now, measure }: WorkerLinkOptions) {
  const worker = cluster.worker!
  const grants = createQuestions<Grant>()
  const readings = createQuestions<string>()
  const budgets = new Map<LimitKind, SharedBudget>()
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
        const left = budgets.get(message.kind)?.giveUp(message.name, message.resetAt) ?? 0
        return send({ type: 'saleproof:given-back', id: message.id, left })
      }
    }
  }

  worker.on('message', (message: unknown) => {
    if (isOurs(message)) receive(message as ToWorker)
  })

  const budget: LimitsOptions['budget'] = (kind, limit) => {
    const ask = (name: string) => grants.ask((id) => send({ type: 'saleproof:grant', id, kind, name }))
    const shared = createSharedBudget({ limit, now, ask })
    budgets.set(kind, shared)
    return shared
  }

  return {
    budget,
    readMetrics: () => readings.ask((id) => send({ type: 'saleproof:metrics', id })),
    /** Lets this process end: an open channel keeps it alive. */
    leave: () => worker.disconnect(),
    listening: (address: string) => send({ type: 'saleproof:listening', address }),
  }
}

export type WorkerLink = Pick<ReturnType<typeof createWorkerLink>, 'budget' | 'readMetrics'>
