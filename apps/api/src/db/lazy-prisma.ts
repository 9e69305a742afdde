import { callPrisma, type Prisma, proxyPrisma } from './prisma.ts'

export interface OpenPrisma {
  prisma: Prisma
  close: () => Promise<void>
}

interface LazyOptions {
  open: () => Promise<OpenPrisma>
  /** Called before and after each call; throws when the database must not be used, or its answer may not be of what is stored. */
  guard?: () => void | Promise<void>
}

/**
 * A Prisma client that is loaded and connected when it is first used: that takes a quarter of a second and a hundred megabytes, and a
 * service that answers its requests on the fast path may never need it.
 */
export function createLazyPrisma({ open, guard = () => {} }: LazyOptions) {
  let opening: Promise<OpenPrisma> | undefined

  function opened(): Promise<OpenPrisma> {
    opening ??= open()
    // What failed for lack of a file or a lock may open the next time.
    opening.catch(() => {
      opening = undefined
    })
    return opening
  }

  return {
    prisma: proxyPrisma(async (call, args) => {
      await guard()
      const result = await callPrisma((await opened()).prisma, call, args)
      await guard()
      return result
    }),
    /** The next use opens another one. */
    async close() {
      const last = await opening
      opening = undefined
      await last?.close()
    },
  }
}
