import type { Prisma } from '../db/lazy-prisma.ts'

/** What is asked of Prisma. */
export interface PrismaCall {
  /** The model, where it is one that is asked. */
  model: string | undefined
  operation: string
}

type Call = (...args: unknown[]) => Promise<unknown>
type Callable = Readonly<Record<string, Call>>

/** Makes a call, and whatever belongs before and after it. */
export type AroundCall = <T>(call: PrismaCall, run: () => Promise<T>) => Promise<T>

/**
 * The same client, with something around each call. Prisma's own ways to do this would load it, and a service that answers on the hot
 * path may never need it.
 */
export function watchPrisma(prisma: Prisma, around: AroundCall): Prisma {
  const client = prisma as unknown as Readonly<Record<string, Callable>> & Callable
  const model = (name: string) =>
    new Proxy(
      {},
      {
        get:
          (_, operation: string): Call =>
          (...args) =>
            around({ model: name, operation }, () =>
              (client[name]! as unknown as Callable)[operation]!(...args),
            ),
      },
    )
  return new Proxy({} as Prisma, {
    get: (_, name: string) =>
      name.startsWith('$')
        ? (...args: unknown[]) =>
            around({ model: undefined, operation: name }, () => (client as Callable)[name]!(...args))
        : model(name),
  })
}
