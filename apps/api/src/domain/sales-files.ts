import { randomBytes } from 'node:crypto'
import type { Prisma, Write } from '../db/prisma.ts'
import type { FilePreview } from './imports.ts'

/** What a workspace keeps of the imports of sales files: what made codes are derived from, and how items were matched. */
interface SalesFileMemory {
  seed: string
  /** By profile, and by what its files call them. */
  items: Readonly<Record<string, Readonly<Record<string, number>>>>
}

interface SalesFilesOptions {
  prisma: Prisma
  write: Write
}

const read = (text: string | null | undefined): SalesFileMemory =>
  text ? JSON.parse(text) : { seed: '', items: {} }

export function createSalesFiles({ prisma, write }: SalesFilesOptions) {
  const recall = async (id: number, { workspace }: Pick<Prisma, 'workspace'> = prisma) =>
    read((await workspace.findUnique({ where: { id }, select: { salesFiles: true } }))?.salesFiles)

  /** Reads it in the same transaction: what another import keeps meanwhile is not taken back. */
  const remember = (id: number, change: (memory: SalesFileMemory) => SalesFileMemory) =>
    write(async (tx) => {
      const memory = change(await recall(id, tx))
      await tx.workspace.update({ where: { id }, data: { salesFiles: JSON.stringify(memory) } })
      return memory
    }, id)

  /** How items of a workspace or of all were matched before; undefined where two workspaces differ. */
  async function recallItems(profile: string, workspaceId?: number) {
    const where = workspaceId === undefined ? { salesFiles: { not: null } } : { id: workspaceId }
    const memories = await prisma.workspace.findMany({ where, select: { salesFiles: true } })
    const kept = new Map<string, number | undefined>()
    for (const { salesFiles } of memories)
      for (const [text, id] of Object.entries(read(salesFiles).items[profile] ?? {}))
        kept.set(text, (kept.get(text) ?? id) === id ? id : undefined)
    return kept
  }

  /**
   * The items of a workspace or of all that a file names: as they were matched before, by name, by id. The ids in the export of a shop are
   * those of that shop: one counts only where nothing has a name.
   */
  async function match(items: FilePreview['items'], profile: string, workspaceId?: number) {
    const kept = await recallItems(profile, workspaceId)
    const idOf = (text: string) => kept.get(text) ?? (/^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined)
    const ids = items.flatMap(({ text }) => idOf(text) ?? []).map(BigInt)
    const names = [...new Set(items.flatMap(({ text, name }) => [text, name]))]
    const find = (where: object) =>
      prisma.item.findMany({
        where: { ...where, ...(workspaceId !== undefined && { workspaceId }) },
        select: { id: true, name: true, workspaceId: true },
      })
    // Each list by itself: of two in one query Prisma splits neither, and a statement takes only so many values.
    const byId = await find({ id: { in: ids } })
    const named = await find({ name: { in: names } })
    const byName = (name: string) => named.filter((row) => row.name === name && name !== '')
    return items.map((item) => {
      const { text, name } = item
      const [alike] = [byName(text), byName(name)].find((found) => found.length === 1) ?? []
      const isOwnId = kept.has(text) || profile === 'none' || name === ''
      const row = (isOwnId ? byId.find(({ id }) => Number(id) === idOf(text)) : undefined) ?? alike
      return { ...item, item: row ? { ...row, id: Number(row.id) } : null }
    })
  }

  return {
    match,
    /** What the codes of a workspace are derived from that an import makes. The same ones are made again. */
    async seed(workspaceId: number): Promise<string> {
      const { seed } = await recall(workspaceId)
      if (seed) return seed
      const made = randomBytes(32).toString('base64url')
      return (await remember(workspaceId, (memory) => ({ ...memory, seed: memory.seed || made }))).seed
    },
    /** Keeps how items were matched, in the workspace of each, for the next import of that profile. */
    async keepItems(profile: string, items: Readonly<Record<string, number>>, workspaceId?: number) {
      const rows = await prisma.item.findMany({
        where: {
          ...(workspaceId !== undefined && { workspaceId }),
          id: { in: Object.values(items).map(BigInt) },
        },
        select: { id: true, workspaceId: true },
      })
      const owners = new Map(rows.map((row) => [Number(row.id), row.workspaceId]))
      for (const owner of new Set(owners.values())) {
        const own = Object.entries(items).filter(([, id]) => owners.get(id) === owner)
        const kept = (await recall(owner)).items[profile] ?? {}
        if (own.every(([text, id]) => kept[text] === id)) continue
        await remember(owner, ({ seed, items: before }) => ({
          seed,
          items: { ...before, [profile]: { ...before[profile], ...Object.fromEntries(own) } },
        }))
      }
    },
  }
}
