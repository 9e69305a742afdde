/** A row of a statement's result. */
export type Row = Readonly<Record<string, unknown>>

/** Statements that follow each other, each of which gives its rows: for a driver that returns at once and for one that is awaited. */
export type SqlSteps<Result> = Generator<string, Result, readonly Row[]>

/** A query and its rows. */
export function* select<Found extends Row>(sql: string): SqlSteps<readonly Found[]> {
  // The caller knows the columns of its query.
  return (yield sql) as readonly Found[]
}

export function runSteps<Result>(steps: SqlSteps<Result>, run: (sql: string) => readonly Row[]): Result {
  let step = steps.next()
  while (!step.done) step = steps.next(run(step.value))
  return step.value
}

export async function runStepsAsync<Result>(
  steps: SqlSteps<Result>,
  run: (sql: string) => Promise<readonly Row[]>,
): Promise<Result> {
  let step = steps.next()
  while (!step.done) step = steps.next(await run(step.value))
  return step.value
}
