import type { Budget, Taken } from './budget.ts'
import { type LimitKind, type LimitsOptions, limitKinds } from './limits.ts'
import { mapMaybeAsync } from './map-maybe-async.ts'

/** How often each limit allowed or limited a request, or its state was unknown. */
export type LimitStats = Readonly<Record<LimitKind, { allowed: number; limited: number; unknown: number }>>

export function countLimitResults(createBudget: LimitsOptions['budget']) {
  const none = limitKinds.map((kind) => [kind, { allowed: 0, limited: 0, unknown: 0 }])
  // One for each kind.
  const stats: LimitStats = Object.fromEntries(none)
  const budget: LimitsOptions['budget'] = (kind, limit): Budget => {
    const counts = stats[kind]
    const { take, giveBack } = createBudget(kind, limit)
    function count(taken: Taken | undefined) {
      counts[taken === undefined ? 'unknown' : taken.allowed ? 'allowed' : 'limited']++
      return taken
    }
    return { giveBack, take: (name) => mapMaybeAsync(take(name), count) }
  }
  return { budget, stats }
}
