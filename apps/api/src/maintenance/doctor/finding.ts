import { codeOf } from '../../db/errors.ts'

/** What a check found. */
export interface Finding {
  check: 'version' | 'configuration' | 'database' | 'migrations' | 'secret' | 'audit' | 'replicas' | 'disk'
  /** `problem`: something is wrong. `warning`: it works, and should be looked at. */
  state: 'ok' | 'warning' | 'problem'
  /** What there is. Never holds a secret. */
  finding: string
  /** What to do about it. */
  advice: string | null
}

/** Findings of one check. */
export function findingsOf(check: Finding['check']) {
  const found: Finding[] = []
  const add = (state: Finding['state']) => (finding: string, advice: string) =>
    void found.push({ check, state, finding, advice })
  return {
    problem: add('problem'),
    warning: add('warning'),
    /** All of them; where nothing is wrong, that. */
    all: (fine: string): Finding[] =>
      found.length ? found : [{ check, state: 'ok', finding: fine, advice: null }],
  }
}

export type Report = ReturnType<typeof findingsOf>

/** The code of an error, for a finding. */
export const errorCode = (error: unknown) => codeOf(error) || 'unknown'
