/** A row of a statement's result. */
export type Row = Readonly<Record<string, unknown>>

/** Statements that follow each other, each of which gives its rows: for any driver, one that answers at once or one that is waited for. */
export type Work<Result> = Generator<string, Result, readonly Row[]>

export function workNow<Result>(work: Work<Result>, run: (sql: string) => readonly Row[]): Result {
  let step = work.next()
  while (!step.done) step = work.next(run(step.value))
  return step.value
}

export async function workInTurn<Result>(
  work: Work<Result>,
  run: (sql: string) => Promise<readonly Row[]>,
): Promise<Result> {
  let step = work.next()
  while (!step.done) step = work.next(await run(step.value))
  return step.value
}
