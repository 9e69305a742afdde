export type MigrationProblem =
  | 'pending'
  | 'newer'
  | 'edited'
  | 'failed'
  | 'foreign'
  | 'locked'
  | 'unreadable'
  | 'missing'
  | 'broken'

/** The database cannot be brought to this build's schema. The message says why and what to do. */
export class MigrationError extends Error {
  readonly problem: MigrationProblem

  constructor(problem: MigrationProblem, message: string, cause?: unknown) {
    super(message, { cause })
    this.name = 'MigrationError'
    this.problem = problem
  }
}
