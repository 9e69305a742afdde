import type { Budget, Taken } from '../rate-limit/budget.ts'
import type { LimitKind, LimitsOptions } from '../rate-limit/limits.ts'
import { mapMaybeAsync } from '../rate-limit/map-maybe-async.ts'

/** How often each limit let something pass, how often not, and how often it could not be asked. */
export type LimitFigures = Readonly<Record<LimitKind, { allowed: number; limited: number; unknown: number }>>

/** The same budgets, with what is taken from them counted. */
export function countLimitResults(make: LimitsOptions['budget']): {
  budget: LimitsOptions['budget']
  figures: LimitFigures
} {
  const none = () => ({ allowed: 0, limited: 0, unknown: 0 })
  const figures = { requests: none(), failures: none(), 'key-failures': none(), 'sign-ins': none() }

  function budget(...[kind, limit]: Parameters<LimitsOptions['budget']>): Budget {
    const counts = figures[kind]
    const { take, giveBack } = make(kind, limit)
    function count(taken: Taken | undefined) {
      counts[taken === undefined ? 'unknown' : taken.allowed ? 'allowed' : 'limited']++
      return taken
    }
    return { giveBack, take: (name) => mapMaybeAsync(take(name), count) }
  }
  return { budget, figures }
}
