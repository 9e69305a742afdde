import { DatabaseError, databaseErrors, readErrorCode } from '../../db/errors.ts'
import { MigrationError } from '../../db/migration-history.ts'
import { UserError } from '../../user-error.ts'

export interface Finding {
  check: 'version' | 'configuration' | 'redis' | 'database' | 'connections' | 'migrations' | 'secret' | 'disk'
  /** `problem`: something is wrong. `warning`: it works, and should be looked at. */
  state: 'ok' | 'warning' | 'problem'
  /** Never contains a secret. */
  finding: string
  advice: string | null
}

/** What one check reports. */
export type Report = Readonly<Record<'problem' | 'warning', (finding: string, advice: string) => void>>

/** Why something could not be checked. */
function explain(error: unknown): [finding: string, advice: string] {
  if (error instanceof MigrationError) return [error.finding, error.advice ?? 'look at the database']
  if (error instanceof UserError) return [error.message, 'look at what it names']
  if (error instanceof DatabaseError && error.kind !== 'other') {
    const { text, advice } = databaseErrors[error.kind]
    return [text, `${advice} (${error.reason})`]
  }
  return [
    `this could not be checked (${readErrorCode(error) || 'unknown'})`,
    'check the owner and the permissions of the files',
  ]
}

export function createReport() {
  const findings: Finding[] = []
  return {
    findings,

    /** Runs a check, which returns what is well where it reports nothing. Whether it found no problem. */
    async check(
      check: Finding['check'],
      run: (report: Report) => string | undefined | Promise<string | undefined>,
    ): Promise<boolean> {
      const found: Finding[] = []
      const add = (state: Finding['state']) => (finding: string, advice: string) =>
        void found.push({ check, state, finding, advice })
      const problem = add('problem')
      try {
        const well = await run({ problem, warning: add('warning') })
        if (well !== undefined && found.length === 0)
          found.push({ check, state: 'ok', finding: well, advice: null })
      } catch (error) {
        problem(...explain(error))
      }
      findings.push(...found)
      return found.every(({ state }) => state !== 'problem')
    },
  }
}

export type Examination = Pick<ReturnType<typeof createReport>, 'check'>
