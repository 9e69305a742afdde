export type Row = Readonly<Record<string, unknown>>

/** A statement, and what `$1` and the following stand for. */
export type Statement = string | readonly [sql: string, ...values: unknown[]]

/** Statements that follow each other, each of which gives its rows: for a driver that returns at once and for one that is awaited. */
export type SqlSteps<Result> = Generator<Statement, Result, readonly Row[]>

export function* select<Found extends object>(
  sql: string,
  ...values: readonly unknown[]
): SqlSteps<readonly Found[]> {
  // The caller knows the columns of its query.
  return (yield [sql, ...values]) as readonly Found[]
}

type Run<Rows> = (sql: string, ...values: unknown[]) => Rows

const runStatement = <Rows>(statement: Statement, run: Run<Rows>) =>
  typeof statement === 'string' ? run(statement) : run(...statement)

export function runSteps<Result>(steps: SqlSteps<Result>, run: Run<readonly Row[]>): Result {
  let step = steps.next()
  while (!step.done) step = steps.next(runStatement(step.value, run))
  return step.value
}

export async function runStepsAsync<Result>(
  steps: SqlSteps<Result>,
  run: Run<Promise<readonly Row[]>>,
): Promise<Result> {
  let step = steps.next()
  while (!step.done) step = steps.next(await runStatement(step.value, run))
  return step.value
}
