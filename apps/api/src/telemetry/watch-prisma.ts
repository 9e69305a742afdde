import type { Prisma } from '../database/open-later.ts'

type Call = (...args: unknown[]) => unknown
type Callable = Readonly<Record<string, Call>>

/**
 * The same client, with each call told of before it is made. Prisma's own ways to do this would load it, and a service that answers on
 * the hot path may never need it.
 */
export function watchPrisma(prisma: Prisma, onCall: () => void): Prisma {
  const told =
    (owner: () => Callable, name: string): Call =>
    (...args) => {
      onCall()
      return owner()[name]!(...args)
    }
  const client = prisma as unknown as Readonly<Record<string, Callable>> & Callable
  const model = (name: string) =>
    new Proxy({}, { get: (_, method: string) => told(() => client[name]! as unknown as Callable, method) })
  return new Proxy({} as Prisma, {
    get: (_, name: string) => (name.startsWith('$') ? told(() => client, name) : model(name)),
  })
}
