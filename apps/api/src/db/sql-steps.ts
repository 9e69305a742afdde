export type Row = Readonly<Record<string, unknown>>

/** A statement, and what `$1` and the following stand for. */
export type Statement = string | readonly [sql: string, ...values: unknown[]]

/** A statement whose rows nothing reads: it can be sent together with those that follow. */
interface Unread {
  unread: Statement
}

export const unread = (statement: Statement): Unread => ({ unread: statement })

/** Statements that follow each other, each of which gives its rows: for a driver that returns at once and for one that is awaited. */
export type SqlSteps<Result> = Generator<Statement | Unread, Result, readonly Row[]>

export function* selectBy<Found extends object>(statement: Statement): SqlSteps<readonly Found[]> {
  // The caller knows the columns of its query.
  return (yield statement) as readonly Found[]
}

export const select = <Found extends object>(sql: string, ...values: readonly unknown[]) =>
  selectBy<Found>([sql, ...values])

type Run<Rows> = (sql: string, ...values: unknown[]) => Rows

const isUnread = (step: Statement | Unread): step is Unread => typeof step === 'object' && 'unread' in step

const runStatement = <Rows>(statement: Statement, run: Run<Rows>) =>
  typeof statement === 'string' ? run(statement) : run(...statement)

export function runSteps<Result>(steps: SqlSteps<Result>, run: Run<readonly Row[]>): Result {
  let step = steps.next()
  while (!step.done) {
    const { value } = step
    step = steps.next(runStatement(isUnread(value) ? value.unread : value, run))
  }
  return step.value
}

/** `runUnread` may return before the statement is done. */
export async function runStepsAsync<Result>(
  steps: SqlSteps<Result>,
  run: Run<Promise<readonly Row[]>>,
  runUnread: Run<Promise<readonly Row[]> | readonly Row[]> = run,
): Promise<Result> {
  let step = steps.next()
  while (!step.done) {
    const { value } = step
    step = steps.next(
      await (isUnread(value) ? runStatement(value.unread, runUnread) : runStatement(value, run)),
    )
  }
  return step.value
}
