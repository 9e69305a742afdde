import type { Logger } from 'pino'
import type { LimitsOptions } from './limits.ts'

type MakeBudget = LimitsOptions['budget']

interface BudgetsOptions {
  redisUrl: string | undefined
  otherwise: MakeBudget
  logger: Logger
  now: () => number
  /** How long Redis may take to respond. */
  timeoutMs?: number | undefined
}

/** Opens budgets that are shared through Redis where there is one: only then its client is loaded. */
export async function openBudgets({ redisUrl, otherwise, ...others }: BudgetsOptions) {
  if (!redisUrl) return { budget: otherwise, close() {} }
  const { connectBudgets } = await import('./redis.ts')
  return connectBudgets({ url: redisUrl, ...others })
}
