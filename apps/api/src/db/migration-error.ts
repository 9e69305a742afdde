import { UserError } from '../user-error.ts'

export type MigrationProblem =
  | 'pending'
  | 'earlier'
  | 'newer'
  | 'edited'
  | 'failed'
  /** A file that holds tables of another program. */
  | 'foreign'
  | 'foreign_database'
  | 'locked'
  /** A file that cannot be used. */
  | 'unreadable'
  | 'missing'
  | 'broken'

/** The database cannot be brought to this build's schema. */
export class MigrationError extends UserError {
  readonly problem: MigrationProblem
  readonly finding: string
  readonly advice: string | undefined

  constructor(problem: MigrationProblem, finding: string, advice?: string, cause?: unknown) {
    super(advice === undefined ? finding : `${finding}: ${advice}`)
    this.cause = cause
    this.name = 'MigrationError'
    this.problem = problem
    this.finding = finding
    this.advice = advice
  }
}

/** Refuses a database that lacks migrations. */
export function requireNoneOf(
  pending: readonly string[],
  { subject = 'the database', advice = 'run "saleproof migrate"' } = {},
) {
  if (pending.length)
    throw new MigrationError('pending', `${subject} lacks ${pending.length} migrations`, advice)
}
