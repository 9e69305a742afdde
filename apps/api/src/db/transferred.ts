import { UserError } from '../user-error.ts'
import { type SqlSteps, select } from './sql-steps.ts'

/** Where a transfer has moved a deployment; the database that it left is not used any more. */
export type TransferTarget = 'postgresql' | 'sqlite'

const names: Readonly<Record<TransferTarget, string>> = { postgresql: 'PostgreSQL', sqlite: 'a file' }

export const describeTransfer = (target: TransferTarget) =>
  `this database was transferred to ${names[target]}, and lacks everything since`

export const adviceAfterTransfer =
  'set DATABASE_URL to that one; to go back to this one, run "saleproof reopen"'

export function* readTransferTarget(): SqlSteps<TransferTarget | undefined> {
  const [row] = yield* select<{ transferredTo: TransferTarget | null }>(
    'SELECT "transferredTo" FROM "Deployment" WHERE "id" = 1',
  )
  return row?.transferredTo ?? undefined
}

/** `null` for a database that is in use. */
export function* writeTransferTarget(target: TransferTarget | null): SqlSteps<void> {
  yield ['UPDATE "Deployment" SET "transferredTo" = $1 WHERE "id" = 1', target]
}

/** Two databases in use would each miss the sales, refunds and revocations of the other. */
export function* requireInUse(): SqlSteps<void> {
  const target = yield* readTransferTarget()
  if (target) throw new UserError(`${describeTransfer(target)}: ${adviceAfterTransfer}`)
}

export function* reopen(): SqlSteps<void> {
  if (!(yield* readTransferTarget())) throw new UserError('this database was not transferred: nothing to do')
  yield* writeTransferTarget(null)
}
