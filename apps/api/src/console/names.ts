import type { ActorKind, ConsoleActor } from '@saleproof/schema/console'
import type { Prisma } from '../db/prisma.ts'
import { readLastFour } from '../domain/key-management.ts'
import type { ConsoleOptions } from './handler.ts'

const actorPrefix = 'console:'

/** An owner, as the audit log names the one who acts. */
export const consoleActor = (accountId: string) => `${actorPrefix}${accountId}` as const

/** Who acts, as the audit log names it. */
export const actorName = (kind: ActorKind, accountId: string) =>
  ({ account: consoleActor(accountId), cli: 'cli', admin_import: 'admin-import' })[kind]

/** Entries of the audit log, newest first. */
export const findEntries = (prisma: Prisma, numbers: number[]) =>
  prisma.auditEntry.findMany({ where: { number: { in: numbers } }, orderBy: { number: 'desc' } })

export type EntryRow = Awaited<ReturnType<typeof findEntries>>[number]

/** Finds the actors of entries of the audit log, with the current usernames of accounts. */
export async function findActors(prisma: Prisma, entries: readonly { actor: string }[]) {
  const ids = entries.flatMap(({ actor }) =>
    actor.startsWith(actorPrefix) ? actor.slice(actorPrefix.length) : [],
  )
  const rows = await prisma.account.findMany({
    where: { id: { in: [...new Set(ids)] } },
    select: { id: true, username: true },
  })
  const usernames = new Map<string, string>(rows.map(({ id, username }) => [consoleActor(id), username]))
  return (actor: string): ConsoleActor => {
    if (actor.startsWith(actorPrefix)) return { kind: 'account', username: usernames.get(actor) ?? null }
    return { kind: actor === 'admin-import' ? 'admin_import' : 'cli', username: null }
  }
}

/** The names of a workspace's items that still exist, by id. */
export async function findItemNames(
  { prisma }: ConsoleOptions['database'],
  workspaceId: number,
  ids: number[],
) {
  const rows = await prisma.item.findMany({
    where: { workspaceId, id: { in: ids.map(BigInt) } },
    select: { id: true, name: true },
  })
  return new Map(rows.map(({ id, name }) => [Number(id), name]))
}

/** What is shown of a workspace's keys that still exist, by id. */
export async function findKeyNames(
  { database, vault }: Pick<ConsoleOptions, 'database' | 'vault'>,
  workspaceId: number,
  ids: readonly string[],
) {
  const rows = await database.prisma.apiKey.findMany({
    where: { workspaceId, id: { in: [...new Set(ids)] } },
    select: { id: true, name: true, keyHash: true, keyCipher: true },
  })
  return new Map(rows.map((row) => [row.id, { name: row.name, last_four: readLastFour(vault, row) }]))
}
