import { formatTimestamp } from '@saleproof/schema'
import {
  type ActivityAction,
  type ActivityEntry,
  type ActivityKind,
  activityKindNames,
  activityKinds,
} from '@saleproof/schema/console'
import { decodeCursor, encodeCursor } from './cursor.ts'
import type { Call, ConsoleOptions, Handlers } from './handler.ts'
import { actorName, type EntryRow, findActors, findEntries, findItemNames, findKeyNames } from './names.ts'
import { join, raw, type Sql, select, sql } from './sql.ts'

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
function pageQuery({ owner, workspace, request }: ListCall, limit: number): Sql {
  const { by, cursor } = request
  const accountId = owner.account.id
  const inScope: Record<Scope, Sql> = {
    workspace: sql`"workspaceId" = ${workspace.id}`,
    account: sql`"subject" = ${accountId}`,
    service: sql`"workspaceId" IS NULL`,
  }
  const byActor = by === undefined ? sql`` : sql` AND "actor" = ${actorName(by, accountId)}`
  const before = numberBefore(cursor)
  const selects = searched(request).map(({ action, scope }) => {
    const name = raw(`'${action}'`)
    // As a range, whose order only the indexes of this query give. For an equal action PostgreSQL may read the whole log by its numbers.
    const range = sql`("action", "number") < (${name}, ${before}) AND ("action", "number") > (${name}, 0)`
    return sql`SELECT * FROM (SELECT "number" FROM "AuditEntry" WHERE ${inScope[scope]} AND ${range}${byActor}
      ORDER BY "action" DESC, "number" DESC LIMIT ${raw(limit)}) AS "found"`
  })
  return sql`${join(selects, ' UNION ALL ')} ORDER BY "number" DESC LIMIT ${raw(limit)}`
}

const listSubjects = (entries: readonly EntryRow[], prefix: string) =>
  entries.flatMap(({ action, subject }) => (subject !== null && action.startsWith(prefix) ? subject : []))

/** Such as `purchase 3+1, item 1+0`: how many were created and changed. */
function readImported({ action, workspaceId, subject }: EntryRow): ActivityEntry['imported'] {
  if (action !== 'import' || workspaceId === null || subject === null) return null
  const readCount = (type: string) => {
    const [, created, updated] = new RegExp(`\\b${type} (\\d+)\\+(\\d+)`).exec(subject) ?? []
    return Number(created ?? 0) + Number(updated ?? 0)
  }
  return { items: readCount('item'), purchases: readCount('purchase') }
}

/** Such as `purchase 3+1 from gumroad sales.csv`. */
function readFileName({ action, subject }: EntryRow): ActivityEntry['file'] {
  const [, profile, name] = (action === 'import' && / from (\w+) (.+)$/.exec(subject ?? '')) || []
  return profile !== undefined && name !== undefined ? { name, profile } : null
}

/** What was done with a workspace, by whom and when. */
export function createActivityHandler({ database, vault }: ConsoleOptions) {
  const { prisma, read } = database

  async function findPurchases(workspaceId: number, entries: readonly EntryRow[]) {
    const numbers = entries.filter(({ action }) => action.startsWith('purchase.')).map(({ number }) => number)
    const rows = await prisma.purchaseChange.findMany({ where: { workspaceId, entry: { in: numbers } } })
    return new Map(rows.map(({ entry, code, state }) => [entry, { purchase_code: code, state }]))
  }

  async function present(workspaceId: number, entries: readonly EntryRow[]): Promise<ActivityEntry[]> {
    const itemIds = listSubjects(entries, 'item.').filter((id) => /^\d{1,16}$/.test(id))
    const [actor, keys, items, purchases] = await Promise.all([
      findActors(prisma, entries),
      findKeyNames({ database, vault }, workspaceId, listSubjects(entries, 'key.')),
      findItemNames(database, workspaceId, itemIds.map(Number)),
      findPurchases(workspaceId, entries),
    ])
    return entries.flatMap((entry): ActivityEntry[] => {
      const { number, at, action, subject } = entry
      if (!isAction(action)) return []
      return [
        {
          number,
          at: formatTimestamp(at),
          action,
          by: actor(entry.actor),
          key: keys.get(subject ?? '') ?? null,
          item:
            subject !== null && itemIds.includes(subject) && action.startsWith('item.')
              ? { id: Number(subject), name: items.get(Number(subject)) ?? null }
              : null,
          purchase: purchases.get(number) ?? null,
          imported: readImported(entry),
          file: readFileName(entry),
        },
      ]
    })
  }

  return {
    async listActivity(call: ListCall) {
      const { limit = defaultLimit } = call.request
      if (searched(call.request).length === 0) return { entries: [], next_cursor: null }
      const found = await select<{ number: number }>(read, pageQuery(call, limit + 1))
      const numbers = found.slice(0, limit).map(({ number }) => number)
      const last = found.length > limit ? numbers.at(-1) : undefined
      const entries = await findEntries(prisma, numbers)
      return {
        entries: await present(call.workspace.id, entries),
        next_cursor: last === undefined ? null : encodeCursor(last, last),
      }
    },
  } satisfies Partial<Handlers>
}
