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

export function createSalesFiles({ prisma, write }: SalesFilesOptions) {
  async function recall(
    id: number,
    { workspace }: Pick<Prisma, 'workspace'> = prisma,
  ): Promise<SalesFileMemory> {
    const row = await workspace.findUnique({ where: { id }, select: { salesFiles: true } })
    return row?.salesFiles ? JSON.parse(row.salesFiles) : { seed: '', items: {} }
  }

  /** Reads it in the same transaction: what another import keeps meanwhile is not taken back. */
  const remember = (id: number, change: (memory: SalesFileMemory) => SalesFileMemory) =>
    write(async (tx) => {
      const memory = change(await recall(id, tx))
      await tx.workspace.update({ where: { id }, data: { salesFiles: JSON.stringify(memory) } })
      return memory
    }, id)

  /** The items of a workspace or of all that a file names: by id, as they were matched before, by name. */
  async function match(items: FilePreview['items'], profile: string, workspaceId?: number) {
    const memory = workspaceId === undefined ? undefined : await recall(workspaceId)
    const kept = new Map(Object.entries(memory?.items[profile] ?? {}))
    const ids = items.flatMap(({ text }) =>
      kept.has(text) ? BigInt(kept.get(text) ?? 0) : /^[1-9]\d{0,14}$/.test(text) ? BigInt(text) : [],
    )
    const names = items.flatMap(({ text, name }) => [text, name])
    const rows = await prisma.item.findMany({
      where: {
        ...(workspaceId !== undefined && { workspaceId }),
        OR: [{ id: { in: ids } }, { name: { in: names } }],
      },
      select: { id: true, name: true, workspaceId: true },
    })
    const byName = (name: string) => rows.filter((row) => row.name === name && name !== '')
    return items.map((item) => {
      const { text, name } = item
      const stored = rows.find(({ id }) => String(id) === String(kept.get(text) ?? text))
      const alike = [byName(text), byName(name)].find((found) => found.length === 1)
      const row = stored ?? alike?.[0]
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
    /** Keeps how items were matched, for the next import of that profile. */
    async keepItems(workspaceId: number, profile: string, items: Readonly<Record<string, number>>) {
      const kept = (await recall(workspaceId)).items[profile] ?? {}
      if (Object.entries(items).every(([text, id]) => kept[text] === id)) return
      await remember(workspaceId, ({ seed, items: before }) => ({
        seed,
        items: { ...before, [profile]: { ...before[profile], ...items } },
      }))
    },
  }
}
