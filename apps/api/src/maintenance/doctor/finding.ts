import { codeOf } from '../../db/errors.ts'

export interface Finding {
  check: 'version' | 'configuration' | 'redis' | 'database' | 'connections' | 'migrations' | 'secret' | 'disk'
  /** `problem`: something is wrong. `warning`: it works, and should be looked at. */
  state: 'ok' | 'warning' | 'problem'
  /** Never contains a secret. */
  finding: string
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
    /** All findings; one that everything is fine if there are none. */
    all: (fine: string): Finding[] =>
      found.length ? found : [{ check, state: 'ok', finding: fine, advice: null }],
  }
}

export type Report = ReturnType<typeof findingsOf>

/** The code of an error, for a finding. */
export const errorCode = (error: unknown) => codeOf(error) || 'unknown'
