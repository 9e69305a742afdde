import type { Prisma } from './sqlite/prisma.ts'

/** Longer than a command waits for another writer: Prisma would end the transaction meanwhile. */
const longestMs = 60_000

export type Transaction = Parameters<Parameters<Prisma['$transaction']>[0]>[0]

/** Writes several things or none of them. What it confirms is on the disk. */
export type Write = <T>(act: (tx: Transaction) => Promise<T>) => Promise<T>

/** For a command, which does nothing beside it. What is written comes first: SQLite waits for another writer only before anything is read. */
export const inTransaction = <T>(prisma: Prisma, act: (tx: Transaction) => Promise<T>): Promise<T> =>
  prisma.$transaction(act, { timeout: longestMs, maxWait: longestMs })

/** `inTransaction` for who is given how to write. */
export const transactionsOn =
  (prisma: Prisma): Write =>
  (act) =>
    inTransaction(prisma, act)
