import { randomBytes } from 'node:crypto'
import type { Database } from '../db/database.ts'
import type { FilePreview } from './imports.ts'

/** What a workspace keeps of the imports of sales files: what made codes are derived from, and how items were matched. */
interface SalesFileMemory {
  seed: string
  /** By profile, and by what its files call them. */
  items: Readonly<Record<string, Readonly<Record<string, number>>>>
}

/** An item by its id, and whose it is. */
interface SoldItem {
  id: number
  name: string
  workspaceId: number
}

const parse = (text: string | null | undefined): SalesFileMemory =>
  text ? JSON.parse(text) : { seed: '', items: {} }

/** In characters. Each preview reads them; where they are more, those of this file are kept alone. */
const maxKept = 1024 * 1024

/** So many values are asked for at once. */
const batch = 1000

/** Without Prisma: it takes as much memory as a large import. */
export function createSalesFiles({ read, transact }: Pick<Database, 'read' | 'transact'>) {
  const memories = (workspaceId?: number) =>
    read<{ salesFiles: string | null }>(
      `SELECT "salesFiles" FROM "Workspace" WHERE ${workspaceId === undefined ? '"salesFiles" IS NOT NULL' : `"id" = ${workspaceId}`}`,
    )

  /** Reads it in the same transaction: what another import keeps meanwhile is not taken back. */
  const remember = (id: number, change: (memory: SalesFileMemory) => SalesFileMemory) =>
    transact(async (sql) => {
      const [row] = await sql.query<{ salesFiles: string | null }>(
        `SELECT "salesFiles" FROM "Workspace" WHERE "id" = $1`,
        id,
      )
      const memory = change(parse(row?.salesFiles))
      const text = JSON.stringify(memory)
      if (text !== row?.salesFiles)
        await sql.run(`UPDATE "Workspace" SET "salesFiles" = $2 WHERE "id" = $1`, id, text)
      return memory
    }, id)

  /** Items of a workspace or of all that are the only ones with a value: any number of them may have one name. */
  async function findItems(
    column: 'id' | 'name',
    values: readonly (number | string)[],
    workspaceId?: number,
  ) {
    const distinct = [...new Set(values)]
    const found: SoldItem[] = []
    for (let from = 0; from < distinct.length; from += batch) {
      const part = distinct.slice(from, from + batch)
      const places = part.map((_, index) => `$${index + 1}`).join(', ')
      const own = workspaceId === undefined ? '' : `AND "workspaceId" = ${workspaceId}`
      const query = `SELECT min("id") AS "id", min("name") AS "name", min("workspaceId") AS "workspaceId" FROM "Item"
        WHERE "${column}" IN (${places}) ${own} GROUP BY "${column}" HAVING count(*) = 1`
      found.push(...(await read<SoldItem>(query, ...part)))
    }
    return found.map((row) => ({ ...row, id: Number(row.id) }))
  }

  /** How items of a workspace or of all were matched before; undefined where two workspaces differ. */
  async function recallItems(profile: string, workspaceId?: number) {
    const kept = new Map<string, number | undefined>()
    for (const { salesFiles } of await memories(workspaceId))
      for (const [text, id] of Object.entries(parse(salesFiles).items[profile] ?? {}))
        kept.set(text, (kept.get(text) ?? id) === id ? id : undefined)
    return kept
  }

  /**
   * The items of a workspace or of all that a file names: as they were matched before, by name, by id. The ids in the export of a shop are
   * those of that shop.
   */
  async function match(items: FilePreview['items'], profile: string, workspaceId?: number) {
    const kept = await recallItems(profile, workspaceId)
    const findItemId = (text: string) =>
      kept.get(text) ?? (/^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined)
    const ids = items.flatMap(({ text }) => findItemId(text) ?? [])
    const names = items.flatMap(({ text, name }) => [text, name]).filter(Boolean)
    const byId = new Map((await findItems('id', ids, workspaceId)).map((row) => [row.id, row]))
    const byName = new Map((await findItems('name', names, workspaceId)).map((row) => [row.name, row]))
    return items.map((item) => {
      const { text, name } = item
      const isOwnId = kept.get(text) !== undefined || profile === 'none'
      const row =
        (isOwnId ? byId.get(findItemId(text) ?? 0) : undefined) ?? byName.get(text) ?? byName.get(name)
      return { ...item, item: row ?? null }
    })
  }

  return {
    match,
    /** Whose the items are. */
    owners: async (ids: readonly number[]) =>
      new Set((await findItems('id', ids)).map(({ workspaceId }) => workspaceId)),
    /** What the codes of a workspace are derived from that an import makes. The same ones are made again. */
    async seed(workspaceId: number): Promise<string> {
      const made = randomBytes(32).toString('base64url')
      return (await remember(workspaceId, (memory) => ({ ...memory, seed: memory.seed || made }))).seed
    },
    /**
     * Keeps how items were matched, in the workspace of each, for the next import of that profile; of rows that name none that says nothing.
     */
    async keepItems(profile: string, items: Readonly<Record<string, number>>, workspaceId?: number) {
      const rows = await findItems('id', Object.values(items), workspaceId)
      const owners = new Map(rows.map((row) => [row.id, row.workspaceId]))
      for (const owner of new Set(owners.values())) {
        // What holds an address may be of a customer: it would outlive the erasure.
        const own = Object.entries(items).filter(
          ([text, id]) => text && owners.get(id) === owner && !/\S@\S+\.\S/.test(text),
        )
        await remember(owner, ({ seed, items: before }) => {
          const items = { ...before, [profile]: { ...before[profile], ...Object.fromEntries(own) } }
          const isLarge = JSON.stringify(items).length > maxKept
          return { seed, items: isLarge ? { [profile]: Object.fromEntries(own) } : items }
        })
      }
    },
  }
}
