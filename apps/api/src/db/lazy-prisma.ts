import type { Prisma } from './sqlite/prisma.ts'

export type { Prisma } from './sqlite/prisma.ts'

type Method = (...args: unknown[]) => Promise<unknown>

interface Opened {
  prisma: Prisma
  close: () => Promise<void>
}

interface LaterOptions {
  open: () => Promise<Opened>
  /** Throws when the database may not be asked, or what it said may not be of what is stored: called before and after. */
  guard?: () => void | Promise<void>
}

type Models = Record<string, Record<string, Method>>

/**
 * A Prisma client that is loaded and connected when it is used for the first time: that takes a quarter of a second and a hundred
 * megabytes, and a service that answers its requests on the fast path may never need it.
 */
export function createLazyPrisma({ open, guard = () => {} }: LaterOptions): Opened {
  let opening: Promise<Opened> | undefined

  async function client(): Promise<Models> {
    await guard()
    opening ??= open()
    // What failed to open now, for lack of a file or a lock, may open the next time.
    opening.catch(() => {
      opening = undefined
    })
    return (await opening).prisma as unknown as Models
  }

  async function guarded<T>(asking: Promise<T>): Promise<T> {
    const result = await asking
    await guard()
    return result
  }

  const model = (name: string) =>
    new Proxy(
      {},
      {
        get:
          (_, method: string) =>
          async (...args: unknown[]) =>
            guarded((await client())[name]![method]!(...args)),
      },
    )

  const prisma = new Proxy(
    {},
    {
      get: (_, name: string) =>
        name.startsWith('$')
          ? async (...args: unknown[]) =>
              guarded(((await client()) as unknown as Record<string, Method>)[name]!(...args))
          : model(name),
    },
  )
  return {
    prisma: prisma as Prisma,
    /** What asks afterwards opens another one. */
    async close() {
      const opened = await opening
      opening = undefined
      await opened?.close()
    },
  }
}
