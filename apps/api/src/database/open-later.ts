import type { OpenOptions, Prisma } from './open.ts'

export type { Prisma } from './open.ts'

type Method = (...args: unknown[]) => Promise<unknown>
type Models = Record<string, Record<string, Method>>

/**
 * A Prisma client that is loaded and connected when it is used for the first time: that takes a quarter of a second and a hundred
 * megabytes, and a service that answers its requests on the hot path may never need it.
 */
export function openLater(options: OpenOptions): { prisma: Prisma; close: () => Promise<void> } {
  let opening: Promise<{ prisma: Prisma; close: () => Promise<void> }> | undefined

  async function client(): Promise<Models> {
    opening ??= import('./open.ts').then(({ openDatabase }) => openDatabase(options))
    // What failed to open now, for lack of a file or a lock, may open the next time.
    opening.catch(() => {
      opening = undefined
    })
    return (await opening).prisma as unknown as Models
  }

  const model = (name: string) =>
    new Proxy(
      {},
      {
        get:
          (_, method: string) =>
          async (...args: unknown[]) =>
            (await client())[name]![method]!(...args),
      },
    )

  const prisma = new Proxy(
    {},
    {
      get: (_, name: string) =>
        name.startsWith('$')
          ? async (...args: unknown[]) =>
              ((await client()) as unknown as Record<string, Method>)[name]!(...args)
          : model(name),
    },
  )
  return {
    prisma: prisma as Prisma,
    async close() {
      await (await opening)?.close()
    },
  }
}
