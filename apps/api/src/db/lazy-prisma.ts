import {
  type AroundCall,
  joinedConnection,
  type Prisma,
  type PrismaCall,
  type PrismaTransaction,
  type Transaction,
} from './prisma.ts'
import type { Sql } from './sql.ts'

type Callables = Readonly<Record<string, (...args: unknown[]) => Promise<unknown>>>

function callPrisma(prisma: Prisma | PrismaTransaction, { model, operation }: PrismaCall, args: unknown[]) {
  // Models and operations are known by their names alone here.
  const clients = prisma as unknown as Callables & Readonly<Record<string, Callables>>
  const call = model === undefined ? clients[operation] : clients[model]?.[operation]
  if (!call) throw new Error(`Prisma has no ${model ?? ''}.${operation}`)
  return call.apply(model === undefined ? clients : clients[model], args)
}

/**
 * A client whose calls all go through one function, beside what is its own. Prisma's own extensions would load it, and a service that answers
 * on the fast path may never need it.
 */
function proxyPrisma<Own extends object = object>(
  call: (called: PrismaCall, args: unknown[]) => Promise<unknown>,
  own = {} as Own,
): Prisma & Own {
  const method =
    (model: string | undefined, operation: string) =>
    (...args: unknown[]) =>
      call({ model, operation }, args)
  const model = (name: string) => new Proxy({}, { get: (_, operation: string) => method(name, operation) })
  // The proxy answers for every name.
  return new Proxy(own as Prisma & Own, {
    get: (_, name: string) =>
      name in own ? own[name as keyof Own] : name.startsWith('$') ? method(undefined, name) : model(name),
  })
}

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
  let around: AroundCall = (_, run) => run()

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
    prisma: proxyPrisma((call, args) =>
      around(call, async () => {
        await guard()
        const result = await mapErrors(async () => callPrisma((await opened()).prisma, call, args))
        await guard()
        return result
      }),
    ),
    /** From now on this stands around each call. */
    observe(given: AroundCall) {
      around = given
    },
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
