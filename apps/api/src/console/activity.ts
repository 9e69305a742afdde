import { formatTimestamp } from '@saleproof/schema'
import {
  type ActivityAction,
  type ActivityEntry,
  type ActivityKind,
  type ActorKind,
  activityKindNames,
  activityKinds,
} from '@saleproof/schema/console'
import type { QueryParameter } from '../db/database.ts'
import type { Prisma } from '../db/prisma.ts'
import { readLastFour } from '../domain/key-management.ts'
import { consoleActor, findUsernames, presentActor } from './actors.ts'
import { decodeCursor, encodeCursor } from './cursor.ts'
import type { Call, ConsoleOptions, Handlers } from './handler.ts'

const defaultLimit = 50

/** What an entry is about. Those of the service have no workspace and concern every owner. */
type Scope = 'workspace' | 'account' | 'service'

const scopes: Record<ActivityKind, readonly Scope[]> = {
  keys: ['workspace'],
  purchases: ['workspace'],
  items: ['workspace'],
  // Without a workspace where they are of several.
  data: ['workspace', 'service'],
  settings: ['workspace'],
  account: ['account'],
  sign_ins: ['account'],
  service: ['service'],
}

const actions: ReadonlySet<string> = new Set(Object.values(activityKinds).flat())
const isAction = (text: string): text is ActivityAction => actions.has(text)

const actorOf = (kind: ActorKind, accountId: string) =>
  ({ account: `${consoleActor}${accountId}`, cli: 'cli', admin_import: 'admin-import' })[kind]

/** PostgreSQL takes no more for a number of an entry. */
const maxNumber = 2 ** 31 - 1

function numberBefore(cursor: string | undefined): number {
  if (cursor === undefined) return maxNumber
  const [number] = decodeCursor(cursor, { value: 'number', id: 'number' })
  return Math.max(0, Math.min(Number(number), maxNumber))
}

type ListCall = Call<'listActivity'>

/** The actions that a request asks for, each with a scope. */
const searched = ({ kind, by }: ListCall['request']) =>
  activityKindNames
    .filter((each) => kind === undefined || each === kind)
    // Only its owner signs in to an account.
    .filter((each) => each !== 'sign_ins' || by === undefined || by === 'account')
    .flatMap((each) =>
      activityKinds[each].flatMap((action) => scopes[each].map((scope) => ({ action, scope }))),
    )

/** Each action is found by its own index range, so that a page takes as long however many entries there are. */
function pageQuery({ owner, workspace, request }: ListCall, limit: number) {
  const { by, cursor } = request
  const accountId = owner.account.id
  // PostgreSQL refuses parameters that a query does not use.
  const parameters: QueryParameter[] = []
  function parameter(value: QueryParameter): string {
    const at = parameters.indexOf(value)
    return `$${at < 0 ? parameters.push(value) : at + 1}`
  }
  const inScope: Record<Scope, () => string> = {
    workspace: () => `"workspaceId" = ${parameter(workspace.id)}`,
    account: () => `"subject" = ${parameter(accountId)}`,
    service: () => '"workspaceId" IS NULL',
  }
  const before = numberBefore(cursor)
  const selects = searched(request).map(({ action, scope }) => {
    // As a range, whose order only the indexes of this query give. For an equal action PostgreSQL may read the whole log by its numbers.
    const conditions = [
      inScope[scope](),
      `("action", "number") < ('${action}', ${parameter(before)})`,
      `("action", "number") > ('${action}', 0)`,
    ]
    if (by !== undefined) conditions.push(`"actor" = ${parameter(actorOf(by, accountId))}`)
    return `SELECT * FROM (SELECT "number" FROM "AuditEntry" WHERE ${conditions.join(' AND ')}
      ORDER BY "action" DESC, "number" DESC LIMIT ${limit}) AS "found"`
  })
  return { sql: `${selects.join(' UNION ALL ')} ORDER BY "number" DESC LIMIT ${limit}`, parameters }
}

const findEntries = (prisma: Prisma, numbers: number[]) =>
  prisma.auditEntry.findMany({ where: { number: { in: numbers } }, orderBy: { number: 'desc' } })

type EntryRow = Awaited<ReturnType<typeof findEntries>>[number]

const subjectsOf = (entries: readonly EntryRow[], prefix: string) =>
  entries.flatMap(({ action, subject }) => (subject !== null && action.startsWith(prefix) ? subject : []))

/** Such as `purchase 3+1, item 1+0`: how many were created and changed. */
function importedOf({ action, workspaceId, subject }: EntryRow): ActivityEntry['imported'] {
  if (action !== 'import' || workspaceId === null || subject === null) return null
  const countOf = (type: string) => {
    const [, created, updated] = new RegExp(`\\b${type} (\\d+)\\+(\\d+)`).exec(subject) ?? []
    return Number(created ?? 0) + Number(updated ?? 0)
  }
  return { items: countOf('item'), purchases: countOf('purchase') }
}

type ActivityHandlers = Pick<Handlers, 'listActivity'>

/** What was done with a workspace, by whom and when. */
export function createActivityHandler({
  prisma,
  read,
  vault,
}: Pick<ConsoleOptions, 'prisma' | 'read' | 'vault'>): ActivityHandlers {
  async function findKeys(workspaceId: number, entries: readonly EntryRow[]) {
    const rows = await prisma.apiKey.findMany({
      where: { workspaceId, id: { in: subjectsOf(entries, 'key.') } },
      select: { id: true, name: true, keyHash: true, keyCipher: true },
    })
    return new Map(rows.map((row) => [row.id, { name: row.name, last_four: readLastFour(vault, row) }]))
  }

  async function findItems(workspaceId: number, entries: readonly EntryRow[]) {
    const ids = subjectsOf(entries, 'item.').filter((id) => /^\d{1,16}$/.test(id))
    const rows = await prisma.item.findMany({
      where: { workspaceId, id: { in: ids.map(BigInt) } },
      select: { id: true, name: true },
    })
    const names = new Map(rows.map(({ id, name }) => [String(id), name]))
    return new Map(ids.map((id) => [id, { id: Number(id), name: names.get(id) ?? null }]))
  }

  async function findPurchases(workspaceId: number, entries: readonly EntryRow[]) {
    const numbers = entries.filter(({ action }) => action.startsWith('purchase.')).map(({ number }) => number)
    const rows = await prisma.purchaseChange.findMany({ where: { workspaceId, entry: { in: numbers } } })
    return new Map(rows.map(({ entry, code, state }) => [entry, { purchase_code: code, state }]))
  }

  async function present(workspaceId: number, entries: readonly EntryRow[]): Promise<ActivityEntry[]> {
    const [usernames, keys, items, purchases] = await Promise.all([
      findUsernames(prisma, entries),
      findKeys(workspaceId, entries),
      findItems(workspaceId, entries),
      findPurchases(workspaceId, entries),
    ])
    return entries.flatMap((entry): ActivityEntry[] => {
      const { number, at, action, actor, subject } = entry
      if (!isAction(action)) return []
      return [
        {
          number,
          at: formatTimestamp(at),
          action,
          by: presentActor(actor, usernames),
          key: keys.get(subject ?? '') ?? null,
          item: (action.startsWith('item.') && items.get(subject ?? '')) || null,
          purchase: purchases.get(number) ?? null,
          imported: importedOf(entry),
        },
      ]
    })
  }

  return {
    async listActivity(call) {
      const { limit = defaultLimit } = call.request
      if (searched(call.request).length === 0) return { entries: [], next_cursor: null }
      const { sql, parameters } = pageQuery(call, limit + 1)
      const found = await read<{ number: number }>(sql, ...parameters)
      const numbers = found.slice(0, limit).map(({ number }) => number)
      const last = found.length > limit ? numbers.at(-1) : undefined
      const entries = await findEntries(prisma, numbers)
      return {
        entries: await present(call.workspace.id, entries),
        next_cursor: last === undefined ? null : encodeCursor(last, last),
      }
    },
  }
}
