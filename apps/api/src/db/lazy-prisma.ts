import {
  callPrisma,
  joinedConnection,
  type Prisma,
  type PrismaTransaction,
  proxyPrisma,
  type Transaction,
} from './prisma.ts'
import type { Sql } from './sql.ts'

export interface OpenPrisma {
  prisma: Prisma
  close: () => Promise<void>
}

interface LazyOptions {
  open: () => Promise<OpenPrisma>
  /** Called before and after each call; throws when the database must not be used, or its answer may not be of what is stored. */
  guard?: () => void | Promise<void>
  /** Gives what is thrown for an error. */
  mapError: (error: unknown) => unknown
}

/**
 * A Prisma client that is loaded and connected when it is first used: that takes a quarter of a second and a hundred megabytes, and a
 * service that answers its requests on the fast path may never need it.
 */
export function createLazyPrisma({ open, guard = () => {}, mapError }: LazyOptions) {
  let opening: Promise<OpenPrisma> | undefined

  function opened(): Promise<OpenPrisma> {
    opening ??= open()
    // What failed for lack of a file or a lock may open the next time.
    opening.catch(() => {
      opening = undefined
    })
    return opening
  }

  async function mapErrors<Result>(act: () => Promise<Result>): Promise<Result> {
    try {
      return await act()
    } catch (error) {
      throw mapError(error)
    }
  }

  return {
    prisma: proxyPrisma(async (call, args) => {
      await guard()
      const result = await mapErrors(async () => callPrisma((await opened()).prisma, call, args))
      await guard()
      return result
    }),
    /** Offers Prisma to what a transaction does that has begun on a connection: from its first call on it takes part. */
    async join<Result>(
      sql: Sql,
      connection: object,
      act: (tx: Transaction) => Promise<Result>,
    ): Promise<Result> {
      const ended = Promise.withResolvers<void>()
      let part: Promise<void> | undefined
      let joining: Promise<PrismaTransaction> | undefined
      const join = () =>
        new Promise<PrismaTransaction>((resolve, reject) => {
          part = mapErrors(async () => {
            const { prisma } = await opened()
            return joinedConnection.run(connection, () =>
              prisma.$transaction((tx) => {
                resolve(tx)
                return ended.promise
              }),
            )
          })
          part.catch(reject)
        })
      try {
        return await act(
          proxyPrisma(async (call, args) => {
            joining ??= join()
            const tx = await joining
            return mapErrors(() => callPrisma(tx, call, args))
          }, sql),
        )
      } finally {
        ended.resolve()
        await part
      }
    },
    /** The next use opens another one. */
    async close() {
      const last = await opening
      opening = undefined
      await last?.close()
    },
  }
}
