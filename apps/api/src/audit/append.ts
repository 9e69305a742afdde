import type { Prisma } from '../db/prisma.ts'
import { type Row, runStepsAsync } from '../db/sql-steps.ts'
import type { AuditEvent, AuditSealer } from './chain.ts'
import { appendEvents } from './steps.ts'

export type { AuditAction, AuditEvent } from './chain.ts'
export { purchaseSubject } from './chain.ts'

/** What an append needs of a transaction. */
export type AuditTransaction = Pick<Prisma, '$queryRaw' | '$executeRaw'>

/** A statement as Prisma takes it: it writes the parameters as each database reads them. */
function template(sql: string, values: readonly unknown[]): [TemplateStringsArray, ...unknown[]] {
  const parts = sql.split(/\$(\d+)/)
  const strings = parts.filter((_, index) => index % 2 === 0)
  const numbers = parts.filter((_, index) => index % 2 === 1)
  return [Object.assign(strings, { raw: strings }), ...numbers.map((number) => values[Number(number) - 1])]
}

/** Records what a transaction does. Returns the number of the entry. */
export const appendAudit = (tx: AuditTransaction, event: AuditEvent, sealer: AuditSealer): Promise<number> =>
  runStepsAsync(
    appendEvents([event], sealer),
    (sql, ...values) => tx.$queryRaw<Row[]>(...template(sql, values)),
    async (sql, ...values) => {
      await tx.$executeRaw(...template(sql, values))
      return []
    },
  )

interface RecorderOptions {
  vault: AuditSealer
  clock: () => Date
  /** `cli`, `admin-import` or `console:` with the id of an account. */
  actor: string
}

/** Records what one actor does, at the time at which it is done. */
export const createRecorder =
  ({ vault, clock, actor }: RecorderOptions) =>
  (tx: AuditTransaction, event: Omit<AuditEvent, 'at' | 'actor'>) =>
    appendAudit(tx, { at: clock(), actor, ...event }, vault)

export type Recorder = ReturnType<typeof createRecorder>
