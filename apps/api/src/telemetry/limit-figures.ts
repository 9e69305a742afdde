import type { Judgement, LimitKind, Limits, Verdict } from '../limits/limits.ts'

/** How often each limit let something pass, and how often not. */
export type LimitFigures = Readonly<Record<LimitKind, { allowed: number; limited: number }>>

/** The same limits, with their verdicts counted. */
export function countVerdicts(limits: Limits): { limits: Limits; figures: LimitFigures } {
  const figures = { requests: { allowed: 0, limited: 0 }, failures: { allowed: 0, limited: 0 } }

  function count(kind: LimitKind, verdict: Verdict): Verdict {
    figures[kind][verdict.allowed ? 'allowed' : 'limited']++
    return verdict
  }

  function counted(kind: LimitKind, judgement: Judgement): Judgement {
    if (judgement === undefined) return undefined
    return judgement instanceof Promise
      ? judgement.then((verdict) => count(kind, verdict))
      : count(kind, judgement)
  }

  return {
    figures,
    limits: {
      ...limits,
      request: (keyId, address) => counted('requests', limits.request(keyId, address)),
      failure: (code, keyId, address) => counted('failures', limits.failure(code, keyId, address)),
    },
  }
}
