import type { Lease } from '../rate-limit/coordinator.ts'
import type { LimitKind } from '../rate-limit/limits.ts'
import { withTimeout } from '../with-timeout.ts'
import type { Measured } from './metrics-aggregator.ts'

/** What a worker asks of the first process, and answers to it. */
export type FromWorker =
  | { type: 'saleproof:listening'; address: string }
  | { type: 'saleproof:grant'; id: number; kind: LimitKind; name: string }
  | { type: 'saleproof:given-back'; id: number; left: number }
  | { type: 'saleproof:export-begins'; id: number; owner: string }
  | { type: 'saleproof:export-ends'; id: number }
  | { type: 'saleproof:metrics'; id: number }
  | { type: 'saleproof:measured'; id: number; metrics: readonly Measured[] }

/** What the first process answers, and asks of a worker. */
export type ToWorker =
  | { type: 'saleproof:granted'; id: number; grant: Lease }
  | { type: 'saleproof:export-may'; id: number; begin: boolean }
  | { type: 'saleproof:give-back'; id: number; kind: LimitKind; name: string; resetAt: number }
  | { type: 'saleproof:metrics-read'; id: number; text: string }
  | { type: 'saleproof:measure'; id: number }

/** Tells our messages from those of libraries that share the channel. */
export const isOurs = (message: unknown): message is FromWorker | ToWorker =>
  typeof (message as { type?: unknown } | null)?.type === 'string' &&
  (message as { type: string }).type.startsWith('saleproof:')

/** Questions that wait for an answer from another process, by number. */
export function createQuestions<Answer>() {
  const waiting = new Map<number, (answer: Answer) => void>()
  let count = 0
  return {
    /** Fails with a `NoAnswer` when it takes too long. */
    ask(send: (id: number) => void, withinMs: number): Promise<Answer> {
      const id = count++
      const answer = new Promise<Answer>((resolve) => {
        waiting.set(id, resolve)
        send(id)
      })
      return withTimeout(answer, withinMs).finally(() => waiting.delete(id))
    },
    answer: (id: number, answer: Answer) => waiting.get(id)?.(answer),
  }
}
