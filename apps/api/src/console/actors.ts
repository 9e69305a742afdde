import type { ConsoleActor } from '@saleproof/schema/console'
import type { Prisma } from '../db/prisma.ts'

/** Followed by the id of an account. */
export const consoleActor = 'console:'

/** The current usernames of the accounts among the actors, by id. */
export async function findUsernames(prisma: Prisma, entries: readonly { actor: string }[]) {
  const ids = entries.flatMap(({ actor }) =>
    actor.startsWith(consoleActor) ? actor.slice(consoleActor.length) : [],
  )
  const rows = await prisma.account.findMany({
    where: { id: { in: [...new Set(ids)] } },
    select: { id: true, username: true },
  })
  return new Map(rows.map(({ id, username }) => [id, username]))
}

export function presentActor(actor: string, usernames: ReadonlyMap<string, string>): ConsoleActor {
  if (actor.startsWith(consoleActor))
    return { kind: 'account', username: usernames.get(actor.slice(consoleActor.length)) ?? null }
  return { kind: actor === 'admin-import' ? 'admin_import' : 'cli', username: null }
}
