import { UserError } from '../user-error.ts'

interface Details {
  /** The state of the migrations, for `/readyz`. */
  state?: 'newer' | 'edited' | 'unfinished'
  cause?: unknown
}

/** The database cannot be brought to this build's schema. */
export class MigrationError extends UserError {
  readonly finding: string
  readonly advice: string | undefined
  readonly state: Details['state']

  constructor(finding: string, advice?: string, { state, cause }: Details = {}) {
    super(advice === undefined ? finding : `${finding}: ${advice}`)
    this.cause = cause
    this.name = 'MigrationError'
    this.finding = finding
    this.advice = advice
    this.state = state
  }
}

/** Refuses a database that lacks migrations. */
export function requireNoneOf(
  pending: readonly string[],
  { subject = 'the database', advice = 'run "saleproof migrate"' } = {},
) {
  if (pending.length) throw new MigrationError(`${subject} lacks ${pending.length} migrations`, advice)
}
